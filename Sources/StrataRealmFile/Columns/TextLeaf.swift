import Foundation

/// Texts or data. Each layout is a subclass.
class TextLeaf: Leaf {
  let isData: Bool
  /// If false, nil in the file is read as empty.
  private let isOptional: Bool
  let offset: Int

  init(count: Int, isData: Bool, _ isOptional: Bool, offset: Int) {
    self.isData = isData
    self.isOptional = isOptional
    self.offset = offset
    super.init(isData ? .data : .string, count: count)
  }

  /// Opens the leaf of a node.
  ///
  /// - Parameter isShared: Whether its elements may be reached from more than one place, for
  ///   example as the distinct values of an enumerated column.
  static func open(
    _ node: Node, isData: Bool, _ isOptional: Bool, isShared: Bool = false, in pass: Pass
  ) throws(RealmFileError) -> TextLeaf {
    guard node.hasRefs else {
      guard node.encoding == .multiply, !isData, !node.isInner else {
        throw .damaged("an array of \(isData ? "data" : "texts") is expected", at: node.offset)
      }
      return ShortTextLeaf(node, isOptional)
    }
    return node.hasContext
      ? try LongTextLeaf(node, isData: isData, isOptional, isShared: isShared, in: pass)
      : try MediumTextLeaf(node, isData: isData, isOptional, in: pass)
  }

  /// Returns the bytes of an element as stored in the file.
  func stored(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    nil
  }

  @inline(__always)
  final func text(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    if let bytes = try stored(index, in: pass) { return bytes }
    return isOptional ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  override final func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    guard let bytes = try text(index, in: pass) else { return .null }
    return isData ? .data(bytes) : .string(bytes)
  }
}

/// Elements of the same size. The last byte of each is the number of unused bytes.
final class ShortTextLeaf: TextLeaf {
  private let start: UnsafeRawPointer
  private let width: Int

  init(_ node: Node, _ isOptional: Bool) {
    start = node.payload
    width = node.width
    super.init(count: node.count, isData: false, isOptional, offset: node.offset)
  }

  override func stored(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    guard width > 0 else { return nil }
    let element = start + index * width
    let unused = Int(element.load(fromByteOffset: width - 1, as: UInt8.self))
    guard unused < width else {
      if unused == width { return nil }
      throw .damaged("a text is longer than its array allows", at: offset)
    }
    try pass.spend(width - 1 - unused, at: offset)
    return UnsafeRawBufferPointer(start: element, count: width - 1 - unused)
  }
}

/// All bytes in one array, with the end of each element.
final class MediumTextLeaf: TextLeaf {
  private let ends: Integers
  private let nulls: Integers
  private let start: UnsafeRawPointer
  private let byteCount: Int

  init(
    _ node: Node, isData: Bool, _ isOptional: Bool, in pass: Pass
  ) throws(RealmFileError) {
    let refs = try Refs(node)
    ends = try pass.integers(refs.required(0))
    let bytes = try pass.visit(refs.required(1))
    nulls = try pass.integers(refs.required(2))
    guard ends.count == nulls.count, !bytes.hasRefs, bytes.encoding == .bytes || bytes.count == 0
    else { throw .damaged("the parts of an array of texts or data don't fit", at: node.offset) }
    start = bytes.payload
    byteCount = bytes.count
    super.init(count: ends.count, isData: isData, isOptional, offset: node.offset)
  }

  override func stored(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    // A zero follows each text, including nil.
    let terminator = isData ? 0 : 1
    let first = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    guard first >= 0, first <= end, end <= Int64(byteCount), end - first >= Int64(terminator)
    else {
      throw .damaged("a text or data has the bytes \(first) to \(end) of \(byteCount)", at: offset)
    }
    if nulls[index] != 0 { return nil }
    let count = Int(end - first) - terminator
    try pass.spend(count, at: offset)
    return UnsafeRawBufferPointer(start: start + Int(first), count: count)
  }
}

/// Positions in the distinct values of a column.
final class EnumeratedTextLeaf: TextLeaf {
  private let positions: Integers
  private let distinct: TextLeaf

  init(_ positions: Integers, _ distinct: TextLeaf, _ isOptional: Bool, offset: Int) {
    self.positions = positions
    self.distinct = distinct
    super.init(count: positions.count, isData: false, isOptional, offset: offset)
  }

  override func stored(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    let position = positions[index]
    guard position >= 0, position < distinct.count else {
      throw .damaged("text \(position) of \(distinct.count) distinct ones is meant", at: offset)
    }
    return try distinct.stored(Int(position), in: pass)
  }
}

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
