/// A text leaf with an array for each element.
final class LongTextLeaf: TextLeaf {
  private let refs: Refs

  /// - Parameter isShared: Whether the elements may be reached from more than one place.
  init(
    _ node: Node, isData: Bool, _ isOptional: Bool, isShared: Bool, in pass: Pass
  ) throws(RealmFileError) {
    refs = try Refs(node)
    if !isShared {
      for index in 0..<refs.count {
        if let ref = try refs.ref(index) { _ = try pass.visit(ref) }
      }
    }
    super.init(count: refs.count, isData: isData, isOptional, offset: node.offset)
  }

  override func stored(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    guard let ref = try refs.ref(index) else { return nil }
    let bytes = try pass.blob(ref)
    // The last byte of a text is a terminator.
    guard !isData else { return bytes }
    guard bytes.count > 0 else { throw .damaged("a text has no end", at: ref) }
    return UnsafeRawBufferPointer(rebasing: bytes.dropLast())
  }
}

extension Pass {
  private static let maxParts = 1000

  /// Returns the bytes of one long text or data. A value above 16 MB is split into several arrays.
  fileprivate func blob(_ ref: Int) throws(RealmFileError) -> UnsafeRawBufferPointer {
    let node = try peek(ref)
    guard node.hasContext else {
      try checkBytes(node)
      try spend(node.count, at: ref)
      return UnsafeRawBufferPointer(start: node.payload, count: node.count)
    }
    let refs = try Refs(node)
    guard refs.count <= Self.maxParts else {
      throw .damaged("a value is split into \(refs.count) parts", at: ref)
    }
    var parts: [Node] = []
    var count = 0
    for index in 0..<refs.count {
      let part = try peek(refs.required(index))
      try checkBytes(part)
      count += part.count
      parts.append(part)
    }
    try spend(count + 8 * parts.count, at: ref)
    return try joined(parts, count: count)
  }

  private func checkBytes(_ node: Node) throws(RealmFileError) {
    guard !node.hasRefs, node.encoding == .bytes || node.count == 0 else {
      throw .damaged("an array of bytes is expected", at: node.offset)
    }
  }

  private func joined(
    _ parts: [Node], count: Int
  ) throws(RealmFileError) -> UnsafeRawBufferPointer {
    guard let region = Region(zeros: count) else {
      throw .limitExceeded(limits, fileSize: bytes.count, at: parts.first?.offset)
    }
    var position = 0
    for part in parts {
      (region.start + position).copyMemory(from: part.payload, byteCount: part.count)
      position += part.count
    }
    joinedValue = region
    return region.bytes
  }
}
