/// The values of one column for some objects, or some elements of a collection.
///
/// Opening one checks that everything is there that positions below its count reach, but for texts, data and mixed
/// values, which are checked when they are read.
enum Leaf {
  case ints(Integers)
  /// The first element is the number that stands for nil.
  case optionalInts(Integers)
  case bools(Integers)
  case floats(UnsafeRawPointer, isOptional: Bool)
  case doubles(UnsafeRawPointer, isOptional: Bool)
  /// Seconds have a first element that stands for nil.
  case dates(seconds: Integers, nanoseconds: Integers, offset: Int)
  case decimals(UnsafeRawPointer, width: Int, isOptional: Bool, areZero: Bool)
  case texts(TextLeaf, isOptional: Bool)
  case data(TextLeaf, isOptional: Bool)
  /// Positions in the distinct values of the column.
  case enumerated(Integers, TextLeaf, isOptional: Bool, offset: Int)
  case objectIds(UnsafeRawPointer, isOptional: Bool)
  case uuids(UnsafeRawPointer, isOptional: Bool)
  /// Keys, to which a number was added.
  case links(Integers, added: Int64)
  case mixed(MixedLeaf)
  /// The refs of collections.
  case collections(Refs)
}

/// What a leaf holds.
struct LeafContent {
  enum Values {
    case type(RealmPropertyType)
    /// Links in a collection are keys; in a column they are keys plus one.
    case keys
    case collections
  }

  var values: Values
  var isOptional: Bool
  /// The distinct values of an enumerated column.
  var distinctTexts: TextLeaf?
}

extension Leaf {
  /// Opens a leaf.
  ///
  /// - Parameters:
  ///   - count: The number of values that it must have; without it, at most 1000.
  /// - Returns: The leaf, and the number of its values.
  static func open(
    _ ref: Int, _ content: LeafContent, count expected: Int?, in pass: Pass
  ) throws(RealmFileError) -> (leaf: Leaf, count: Int) {
    let node = try pass.visit(ref)
    guard !node.isInner else { throw .damaged("an inner node is in the place of values", at: ref) }
    let opened = try open(node, content, in: pass)
    guard opened.count == expected ?? opened.count, opened.count >= 0, opened.count <= 1000 else {
      throw .damaged(
        "there are \(opened.count) values" + (expected.map { " for \($0) objects" } ?? ""), at: ref)
    }
    return opened
  }

  private static func open(
    _ node: Node, _ content: LeafContent, in pass: Pass
  ) throws(RealmFileError) -> (leaf: Leaf, count: Int) {
    let isOptional = content.isOptional
    let type: RealmPropertyType
    switch content.values {
    case .keys: return (.links(try pass.integers(node), added: 0), node.count)
    case .collections: return (.collections(try Refs(node)), node.count)
    case .type(let valueType): type = valueType
    }
    switch type {
    case .int:
      let integers = try pass.integers(node)
      return isOptional
        ? (.optionalInts(integers), node.count - 1) : (.ints(integers), node.count)
    case .bool: return (.bools(try pass.integers(node)), node.count)
    case .object: return (.links(try pass.integers(node), added: 1), node.count)
    case .float:
      return (.floats(try elements(node, width: 4), isOptional: isOptional), node.count)
    case .double:
      return (.doubles(try elements(node, width: 8), isOptional: isOptional), node.count)
    case .decimal: return (try decimals(node, isOptional), node.count)
    case .date: return try dates(node, in: pass)
    case .objectId:
      return (.objectIds(node.payload, isOptional: isOptional), try fixedCount(node, 12))
    case .uuid: return (.uuids(node.payload, isOptional: isOptional), try fixedCount(node, 16))
    case .data:
      let texts = try TextLeaf(node, isData: true, in: pass)
      return (.data(texts, isOptional: isOptional), texts.count)
    case .string:
      if !node.hasRefs, node.encoding == .bits, let distinct = content.distinctTexts {
        let positions = try pass.integers(node)
        return (
          .enumerated(positions, distinct, isOptional: isOptional, offset: node.offset), node.count
        )
      }
      let texts = try TextLeaf(node, isData: false, in: pass)
      return (.texts(texts, isOptional: isOptional), texts.count)
    case .mixed:
      let mixed = try MixedLeaf(node, in: pass)
      return (.mixed(mixed), mixed.count)
    }
  }

  /// Elements of a number of bytes. An empty array may have another width.
  private static func elements(_ node: Node, width: Int) throws(RealmFileError) -> UnsafeRawPointer
  {
    guard !node.hasRefs, node.count == 0 || node.encoding == .multiply && node.width == width else {
      throw .damaged("an array of values of \(width) bytes is expected", at: node.offset)
    }
    return node.payload
  }

  private static func decimals(_ node: Node, _ isOptional: Bool) throws(RealmFileError) -> Leaf {
    guard !node.hasRefs,
      node.count == 0 || node.encoding == .multiply && [0, 4, 8, 16].contains(node.width)
    else { throw .damaged("an array of decimals is expected", at: node.offset) }
    return .decimals(
      node.payload, width: node.width, isOptional: isOptional, areZero: node.hasContext)
  }

  private static func dates(
    _ node: Node, in pass: Pass
  ) throws(RealmFileError) -> (leaf: Leaf, count: Int) {
    let refs = try Refs(node)
    let seconds = try pass.integers(refs.required(0))
    let nanoseconds = try pass.integers(refs.required(1))
    guard seconds.count == nanoseconds.count + 1 else {
      throw .damaged("dates have \(seconds.count) seconds", at: node.offset)
    }
    return (
      .dates(seconds: seconds, nanoseconds: nanoseconds, offset: node.offset), nanoseconds.count
    )
  }

  /// The number of values of 12 or 16 bytes. Each 8 of them follow a byte with one bit per value: whether it is nil.
  private static func fixedCount(_ node: Node, _ width: Int) throws(RealmFileError) -> Int {
    let block = 8 * width + 1
    let count = (node.count - (node.count + block - 1) / block) / width
    guard !node.hasRefs, node.count == 0 || node.encoding == .multiply && node.width == 1,
      node.count == count * width + (count + 7) / 8
    else { throw .damaged("an array of values of \(width) bytes is expected", at: node.offset) }
    return count
  }
}
