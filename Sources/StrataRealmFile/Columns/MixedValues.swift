import Foundation

/// Values of any type: a number for each, with its type and the position of its data.
struct MixedValues {
  private let composite: Integers
  private let ints: Integers?
  private let pairs: Integers?
  private let texts: TextLeaf?
  private let refs: Refs?
  private let offset: Int

  var count: Int { composite.count }

  /// A value as it is read. Bytes are valid until the next ones are read.
  enum Item {
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
    case link(table: Int64, key: Int64)
    /// Nil for an empty one.
    case list(Int?)
    /// Nil for an empty one.
    case dictionary(Int?)
  }

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    let parts = try Refs(node)
    guard (4...6).contains(parts.count), !node.isInner else {
      throw .damaged("an array of mixed values is expected", at: node.offset)
    }
    offset = node.offset
    composite = try pass.integers(parts.required(0))
    ints = if let ref = try parts.ref(1) { try pass.integers(ref) } else { nil }
    pairs = if let ref = try parts.ref(2) { try pass.integers(ref) } else { nil }
    if let ref = try parts.ref(3) {
      // Each value has at most one text.
      let node = try pass.visit(ref)
      guard node.count <= max(composite.count, 3) else {
        throw .damaged("there are more texts than values", at: ref)
      }
      texts = try TextLeaf.open(node, isData: false, true, in: pass)
    } else {
      texts = nil
    }
    refs = if let ref = try parts.ref(4) { try pass.refs(ref) } else { nil }
  }

  private enum Payload: Int64 {
    case inPlace, ints, pairs, texts, refs
  }

  func item(_ index: Int, in pass: Pass) throws(RealmFileError) -> Item {
    let element = composite[index]
    guard element != 0 else { return .null }
    let payload = Payload(rawValue: element >> 5 & 7)
    let data = element >> 8
    switch (element & 31 - 1, payload) {
    case (0, .inPlace): return .int(data)
    case (0, .ints): return .int(try int(data))
    case (1, _): return .bool(data != 0)
    case (2, .texts): return .string(try text(data, in: pass))
    case (4, .texts): return .data(try text(data, in: pass))
    case (8, .pairs): return .date(try date(data))
    case (9, .ints):
      return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try int(data))))
    case (10, .ints): return .double(Double(bitPattern: UInt64(bitPattern: try int(data))))
    case (11, .pairs):
      let (low, high) = try pair(data)
      return .decimal(RealmDecimal(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
    case (15, .texts): return .objectId(try fixed(data, 12, in: pass))
    case (16, .pairs):
      let (table, key) = try pair(data)
      // Other negative keys belong to missing objects.
      return key < 0 ? .null : .link(table: table, key: key)
    case (17, .texts): return .uuid(try fixed(data, 16, in: pass))
    case (19, .refs): return .list(try ref(data))
    case (21, .refs): return .dictionary(try ref(data))
    default:
      throw .damaged("a mixed value has the unknown type \(element & 31 - 1)", at: offset)
    }
  }

  private func int(_ data: Int64) throws(RealmFileError) -> Int64 {
    guard let ints, data >= 0, data < ints.count else { throw outside(data) }
    return ints[Int(data)]
  }

  private func pair(_ data: Int64) throws(RealmFileError) -> (Int64, Int64) {
    guard let pairs, data >= 0, data < pairs.count / 2 else { throw outside(data) }
    return (pairs[2 * Int(data)], pairs[2 * Int(data) + 1])
  }

  private func text(_ data: Int64, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer {
    guard let texts, data >= 0, data < texts.count else { throw outside(data) }
    guard let bytes = try texts.bytes(Int(data), in: pass) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return bytes
  }

  private func fixed(
    _ data: Int64, _ count: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawPointer {
    let bytes = try text(data, in: pass)
    guard bytes.count == count, let start = bytes.baseAddress else {
      throw .damaged("a value of \(count) bytes has \(bytes.count)", at: offset)
    }
    return start
  }

  private func date(_ data: Int64) throws(RealmFileError) -> RealmDate {
    let (seconds, nanoseconds) = try pair(data)
    return try RealmDate(checking: seconds, nanoseconds, at: offset)
  }

  private func ref(_ data: Int64) throws(RealmFileError) -> Int? {
    guard let refs, data >= 0, data < refs.count else { throw outside(data) }
    return try refs.ref(Int(data))
  }

  private func outside(_ data: Int64) -> RealmFileError {
    .damaged("a mixed value is at position \(data), which isn't there", at: offset)
  }
}

extension MixedValues.Item {
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

  /// Returns nil for nil, and throws for a value of any other type.
  fileprivate func expectNull<Value>(_ accessor: String) throws(RealmFileError) -> Value? {
    guard case .null = self else { throw .wrongType(typeName, accessor) }
    return nil
  }
}

/// A leaf of mixed values. A value of one type is read like from a leaf of that type.
final class MixedLeaf: Leaf {
  private let values: MixedValues

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    values = try MixedValues(node, in: pass)
    super.init(.mixed, count: values.count)
  }

  func item(_ index: Int, in pass: Pass) throws(RealmFileError) -> MixedValues.Item {
    try values.item(index, in: pass)
  }

  override func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    let item = try item(index, in: pass)
    if case .int(let value) = item { return value }
    return try item.expectNull("int")
  }

  override func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    let item = try item(index, in: pass)
    if case .bool(let value) = item { return value }
    return try item.expectNull("bool")
  }

  override func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    let item = try item(index, in: pass)
    if case .float(let value) = item { return value }
    return try item.expectNull("float")
  }

  override func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    let item = try item(index, in: pass)
    if case .double(let value) = item { return value }
    return try item.expectNull("double")
  }

  override func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    let item = try item(index, in: pass)
    if case .date(let value) = item { return value }
    return try item.expectNull("date")
  }

  override func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
    let item = try item(index, in: pass)
    if case .decimal(let value) = item { return value }
    return try item.expectNull("decimal")
  }

  override func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    let item = try item(index, in: pass)
    if case .objectId(let bytes) = item { return RealmObjectId(bytes) }
    return try item.expectNull("objectId")
  }

  override func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    let item = try item(index, in: pass)
    if case .uuid(let bytes) = item { return UUID(reading: bytes) }
    return try item.expectNull("uuid")
  }

  override func text(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let item = try item(index, in: pass)
    if case .string(let bytes) = item { return bytes }
    return try item.expectNull("string")
  }

  override func data(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let item = try item(index, in: pass)
    if case .data(let bytes) = item { return bytes }
    return try item.expectNull("data")
  }

  override func bytes(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let item = try item(index, in: pass)
    switch item {
    case .string(let bytes), .data(let bytes): return bytes
    default: return try item.expectNull("bytes")
    }
  }

  override func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    let item = try item(index, in: pass)
    if case .link(let table, let key) = item { return (key, table) }
    return try item.expectNull("link")
  }
}
