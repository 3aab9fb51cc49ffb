import Foundation

/// The values of one column for some objects, or some elements of a collection.
///
/// Each layout of the file is a subclass, which overrides the methods of its type; the other
/// methods throw an error for the wrong type. Opening a leaf checks that all data exists for
/// positions below its count, except for texts, data and mixed values, which are checked when they
/// are read. The reader has checked the position.
class Leaf {
  /// The type of the values; nil for collections.
  let type: RealmPropertyType?
  let count: Int

  init(_ type: RealmPropertyType?, count: Int) {
    self.type = type
    self.count = count
  }

  /// The type of the values, for errors.
  var typeName: String { type?.rawValue ?? "collection" }

  func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    throw .wrongType(typeName, "int")
  }

  func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    throw .wrongType(typeName, "bool")
  }

  func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    throw .wrongType(typeName, "float")
  }

  func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    throw .wrongType(typeName, "double")
  }

  func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    throw .wrongType(typeName, "date")
  }

  func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
    throw .wrongType(typeName, "decimal")
  }

  func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    throw .wrongType(typeName, "objectId")
  }

  func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    throw .wrongType(typeName, "uuid")
  }

  /// Returns the bytes of a text, valid until the next ones are read.
  func text(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "string")
  }

  /// Returns the bytes of data, valid until the next ones are read.
  func data(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "data")
  }

  /// Returns the bytes of a text or of data, valid until the next ones are read.
  func bytes(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "bytes")
  }

  /// Returns the key of an object, and the key of its table if the value contains it. Returns nil
  /// for nil, and for a missing object.
  ///
  /// In a collection the key of a missing object is negative.
  func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    throw .wrongType(typeName, "link")
  }

  /// Returns the ref of a collection; nil for an empty one.
  func collection(_ index: Int) throws(RealmFileError) -> Int? {
    throw .wrongType(typeName, "elements")
  }

  /// Returns a value of the leaf's type. Links, mixed values and collections need more information
  /// than the leaf has.
  final func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    let value: RealmValue? =
      switch type {
      case .int: try int(index, in: pass).map { .int($0) }
      case .bool: try bool(index, in: pass).map { .bool($0) }
      case .float: try float(index, in: pass).map { .float($0) }
      case .double: try double(index, in: pass).map { .double($0) }
      case .string: try text(index, in: pass).map { .string(pass.string($0)) }
      case .data: try data(index, in: pass).map { .data(Data($0)) }
      case .date: try date(index, in: pass).map { .date($0) }
      case .decimal: try decimal(index, in: pass).map { .decimal($0) }
      case .objectId: try objectId(index, in: pass).map { .objectId($0) }
      case .uuid: try uuid(index, in: pass).map { .uuid($0) }
      case .object, .mixed, nil: nil
      }
    return value ?? .null
  }
}

struct LeafContent {
  enum Values {
    case type(RealmPropertyType)
    /// Links in a collection are keys. In a column they are keys plus one.
    case keys
    case collections
  }

  var values: Values
  var isOptional: Bool
  /// The distinct values of an enumerated column.
  var distinctTexts: TextLeaf?

  static var mixed: LeafContent { LeafContent(values: .type(.mixed), isOptional: true) }
  /// The keys of a dictionary.
  static var texts: LeafContent { LeafContent(values: .type(.string), isOptional: true) }
}

extension Leaf {
  /// The greatest number of elements in a leaf of a collection.
  private static let maxCount = 1000

  /// Opens a leaf.
  ///
  /// - Parameter expected: The required number of values. Without it, at most 1000 are allowed.
  static func open(
    _ ref: Int, _ content: LeafContent, count expected: Int?, in pass: Pass
  ) throws(RealmFileError) -> Leaf {
    let node = try pass.visit(ref)
    guard !node.isInner else { throw .damaged("an inner node is in the place of values", at: ref) }
    let leaf = try leaf(of: node, content, in: pass)
    guard leaf.count == expected ?? leaf.count, leaf.count >= 0, leaf.count <= maxCount else {
      throw .damaged(
        "there are \(leaf.count) values" + (expected.map { " for \($0) objects" } ?? ""), at: ref)
    }
    return leaf
  }

  private static func leaf(
    of node: Node, _ content: LeafContent, in pass: Pass
  ) throws(RealmFileError) -> Leaf {
    let isOptional = content.isOptional
    switch content.values {
    case .keys: return LinkLeaf(try pass.integers(node), added: 0)
    case .collections: return CollectionLeaf(try Refs(node))
    case .type(.object): return LinkLeaf(try pass.integers(node), added: 1)
    case .type(.int): return IntLeaf(try pass.integers(node), isOptional: isOptional)
    case .type(.bool): return BoolLeaf(try pass.integers(node))
    case .type(.float): return try FloatLeaf(node, isOptional: isOptional)
    case .type(.double): return try DoubleLeaf(node, isOptional: isOptional)
    case .type(.decimal): return try DecimalLeaf(node, isOptional: isOptional)
    case .type(.date): return try DateLeaf(node, in: pass)
    case .type(.objectId):
      return try ObjectIdLeaf(node, .objectId, width: 12, isOptional: isOptional)
    case .type(.uuid): return try UUIDLeaf(node, .uuid, width: 16, isOptional: isOptional)
    case .type(.data): return try TextLeaf.open(node, isData: true, isOptional, in: pass)
    case .type(.mixed): return try MixedLeaf(node, in: pass)
    case .type(.string):
      if !node.hasRefs, node.encoding == .bits, let distinct = content.distinctTexts {
        return EnumeratedTextLeaf(
          try pass.integers(node), distinct, isOptional, offset: node.offset)
      }
      return try TextLeaf.open(node, isData: false, isOptional, in: pass)
    }
  }
}

/// Links to objects: keys to which a number was added.
final class LinkLeaf: Leaf {
  private let integers: Integers
  private let added: Int64

  init(_ integers: Integers, added: Int64) {
    self.integers = integers
    self.added = added
    super.init(.object, count: integers.count)
  }

  override func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    let element = integers[index]
    guard added == 1 else { return (element, nil) }
    // 0 is nil; negative numbers are missing objects.
    return element > 0 ? (element - 1, nil) : nil
  }
}

/// The refs of the collections of some objects.
final class CollectionLeaf: Leaf {
  private let refs: Refs

  init(_ refs: Refs) {
    self.refs = refs
    super.init(nil, count: refs.count)
  }

  override func collection(_ index: Int) throws(RealmFileError) -> Int? { try refs.ref(index) }
}
