/// Values of any type: a number for each, with its type and the position of its data.
final class MixedLeaf: Leaf {
  private let composite: Integers
  private let ints: Integers?
  private let pairs: Integers?
  private let texts: TextLeaf?
  private let refs: Refs?
  private let offset: Int

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
    super.init(.mixed, count: composite.count)
  }

  private enum Payload: Int64 {
    case inPlace, ints, pairs, texts, refs
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
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
    guard let bytes = try texts.text(Int(data), in: pass) else {
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
