import Foundation

/// The values of one column for some objects, or some elements of a collection.
///
/// Each layout of the file is a subclass. Opening a leaf checks that all data exists for positions
/// below its count, except for texts, data and mixed values, which are checked when they are read.
/// The reader has checked the position.
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

  /// Returns a value, or the ref of a collection.
  func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue { .null }

  /// Returns a value of one type, or nil.
  ///
  /// - Throws: ``RealmFileError`` with code `wrongType` for a value of another type.
  @inline(__always)
  final func value<Value>(
    _ index: Int, as wanted: RealmPropertyType, in pass: Pass, _ pick: (FileValue) -> Value?
  ) throws(RealmFileError) -> Value? {
    func refusal(_ typeName: String) -> RealmFileError {
      .wrongType(typeName, wanted == .object ? "link" : wanted.rawValue)
    }
    guard type == wanted || type == .mixed else { throw refusal(typeName) }
    let value = try value(index, in: pass)
    if let picked = pick(value) { return picked }
    guard case .null = value else { throw refusal(value.typeName) }
    return nil
  }

  /// Returns the bytes of a text or of data, valid until the next ones are read.
  final func bytes(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    guard type == .string || type == .data || type == .mixed else {
      throw .wrongType(typeName, "bytes")
    }
    switch try value(index, in: pass) {
    case .string(let bytes), .data(let bytes): return bytes
    case .null: return nil
    case let other: throw .wrongType(other.typeName, "bytes")
    }
  }

  /// Returns the ref of a collection; nil for an empty one.
  final func collection(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int? {
    guard type == nil, case .list(let root) = try value(index, in: pass) else {
      throw .wrongType(typeName, "elements")
    }
    return root
  }
}

/// A value as it is read. Bytes are valid until the next ones are read.
enum FileValue {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(UnsafeRawBufferPointer)
  case data(UnsafeRawBufferPointer)
  case date(RealmDate)
  case decimal(RealmDecimal)
  case objectId(UnsafeRawPointer)
  case uuid(UnsafeRawPointer)
  /// The key of the table is known only for a mixed value. In a collection the key of a missing
  /// object is negative.
  case link(table: Int64?, key: Int64)
  /// The ref of a list, or of the collection of a column; nil for an empty one.
  case list(Int?)
  /// Nil for an empty one.
  case dictionary(Int?)
}

extension FileValue {
  var int: Int64? { if case .int(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var float: Float? { if case .float(let value) = self { value } else { nil } }
  var double: Double? { if case .double(let value) = self { value } else { nil } }
  var string: UnsafeRawBufferPointer? { if case .string(let bytes) = self { bytes } else { nil } }
  var data: UnsafeRawBufferPointer? { if case .data(let bytes) = self { bytes } else { nil } }
  var date: RealmDate? { if case .date(let value) = self { value } else { nil } }
  var decimal: RealmDecimal? { if case .decimal(let value) = self { value } else { nil } }
  var objectId: RealmObjectId? {
    if case .objectId(let bytes) = self { RealmObjectId(bytes) } else { nil }
  }
  var uuid: UUID? { if case .uuid(let bytes) = self { UUID(reading: bytes) } else { nil } }
  var link: (table: Int64?, key: Int64)? {
    if case .link(let table, let key) = self { (table, key) } else { nil }
  }

  /// The type of the value, for errors.
  var typeName: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .link: "object"
    case .list: "list"
    case .dictionary: "dictionary"
    }
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
      return try FixedLeaf(node, .objectId, width: 12, isOptional: isOptional)
    case .type(.uuid): return try FixedLeaf(node, .uuid, width: 16, isOptional: isOptional)
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

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let element = integers[index]
    guard added == 1 else { return .link(table: nil, key: element) }
    // 0 is nil; negative numbers are missing objects.
    return element > 0 ? .link(table: nil, key: element - 1) : .null
  }
}

/// The refs of the collections of some objects.
final class CollectionLeaf: Leaf {
  private let refs: Refs

  init(_ refs: Refs) {
    self.refs = refs
    super.init(nil, count: refs.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    .list(try refs.ref(index))
  }
}
