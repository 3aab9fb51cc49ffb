/// Texts or data: the values of a column for some objects, or the elements of a collection.
enum TextLeaf {
  /// Elements of the same number of bytes, of which the last says how many are not used.
  case short(UnsafeRawPointer, width: Int, count: Int, offset: Int)
  /// All bytes in one array, and the position at which each element ends.
  case medium(Medium)
  /// An array for each element.
  case long(Refs, terminator: Int)

  struct Medium {
    let ends: Integers
    let nulls: Integers
    let bytes: UnsafeRawPointer
    let byteCount: Int
    /// 1 if a byte follows each element that doesn't belong to it, as with texts.
    let terminator: Int
    let offset: Int
  }

  var count: Int {
    switch self {
    case .short(_, _, let count, _): count
    case .medium(let medium): medium.ends.count
    case .long(let refs, _): refs.count
    }
  }
}

extension TextLeaf {
  /// Opens the leaf that a node begins.
  ///
  /// - Parameter isShared: Whether its elements may be reached from more than one place, as the distinct values of
  ///   an enumerated column.
  init(
    _ node: Node, isData: Bool, isShared: Bool = false, in pass: Pass
  ) throws(RealmFileError) {
    guard node.hasRefs else {
      guard node.encoding == .multiply, !isData, !node.isInner else {
        throw .damaged("an array of \(isData ? "data" : "texts") is expected", at: node.offset)
      }
      self = .short(node.payload, width: node.width, count: node.count, offset: node.offset)
      return
    }
    let refs = try Refs(node)
    let terminator = isData ? 0 : 1
    if node.hasContext {
      if !isShared {
        for index in 0..<refs.count {
          if let ref = try refs.ref(index) { _ = try pass.visit(ref) }
        }
      }
      self = .long(refs, terminator: terminator)
      return
    }
    let ends = try pass.integers(refs.required(0))
    let bytes = try pass.visit(refs.required(1))
    let nulls = try pass.integers(refs.required(2))
    guard ends.count == nulls.count, !bytes.hasRefs, bytes.encoding == .bytes || bytes.count == 0
    else { throw .damaged("the parts of an array of texts or data don't fit", at: node.offset) }
    self = .medium(
      Medium(
        ends: ends, nulls: nulls, bytes: bytes.payload, byteCount: bytes.count,
        terminator: terminator, offset: node.offset))
  }

  /// The bytes of an element, which are valid until the next ones are read; nil for nil.
  func bytes(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch self {
    case .short(let start, let width, _, let offset):
      guard width > 0 else { return nil }
      let element = start + index * width
      let unused = Int(element.load(fromByteOffset: width - 1, as: UInt8.self))
      if unused == width { return nil }
      guard unused < width else {
        throw .damaged("a text is longer than its array allows", at: offset)
      }
      return try pass.text(element, width - 1 - unused, at: offset)
    case .medium(let medium):
      return try medium.bytes(index, in: pass)
    case .long(let refs, let terminator):
      guard let ref = try refs.ref(index) else { return nil }
      return try pass.blob(ref, terminator: terminator)
    }
  }
}

extension TextLeaf.Medium {
  fileprivate func bytes(_ index: Int, in pass: Pass) throws(RealmFileError)
    -> UnsafeRawBufferPointer?
  {
    let start = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    guard start >= 0, start <= end, end <= Int64(byteCount), end - start >= Int64(terminator) else {
      throw .damaged("a text or data has the bytes \(start) to \(end) of \(byteCount)", at: offset)
    }
    if nulls[index] != 0 { return nil }
    return try pass.text(bytes + Int(start), Int(end - start) - terminator, at: offset)
  }
}

extension Pass {
  fileprivate func text(
    _ start: UnsafeRawPointer, _ count: Int, at offset: Int
  ) throws(RealmFileError) -> UnsafeRawBufferPointer {
    try spend(count, at: offset)
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The bytes of one long text or data, which may be split into several arrays.
  fileprivate func blob(
    _ ref: Int, terminator: Int
  ) throws(RealmFileError) -> UnsafeRawBufferPointer {
    let node = try peek(ref)
    let all: UnsafeRawBufferPointer
    if node.hasContext {
      all = try joined(node)
    } else {
      guard !node.hasRefs, node.encoding == .bytes || node.count == 0 else {
        throw .damaged("an array of bytes is expected", at: ref)
      }
      try spend(node.count, at: ref)
      all = UnsafeRawBufferPointer(start: node.payload, count: node.count)
    }
    guard all.count >= terminator else { throw .damaged("a text has no end", at: ref) }
    return UnsafeRawBufferPointer(rebasing: all[..<(all.count - terminator)])
  }

  /// Values above 16 MB are in several arrays of bytes.
  private func joined(_ node: Node) throws(RealmFileError) -> UnsafeRawBufferPointer {
    let refs = try Refs(node)
    guard refs.count <= 1000 else {
      throw .damaged("a value is split into \(refs.count) parts", at: node.offset)
    }
    var parts: [Node] = []
    var count = 0
    for index in 0..<refs.count {
      let part = try peek(refs.required(index))
      guard !part.hasRefs, part.encoding == .bytes || part.count == 0 else {
        throw .damaged("an array of bytes is expected", at: part.offset)
      }
      count += part.count
      parts.append(part)
    }
    try spend(count + 8 * parts.count, at: node.offset)
    guard let region = Region(zeros: count) else {
      throw .damaged("a value of \(count) bytes needs more memory than there is", at: node.offset)
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
