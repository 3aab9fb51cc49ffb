import Foundation

/// Values of 12 or 16 bytes. Each 8 of them follow a byte with one bit per value: whether it is
/// nil.
class FixedLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let width: Int
  private let isOptional: Bool

  init(_ node: Node, width: Int, isOptional: Bool) throws(RealmFileError) {
    let block = 8 * width + 1
    let count = (node.count - (node.count + block - 1) / block) / width
    guard !node.hasRefs, node.count == 0 || node.encoding == .multiply && node.width == 1,
      node.count == count * width + (count + 7) / 8
    else { throw .damaged("an array of values of \(width) bytes is expected", at: node.offset) }
    start = node.payload
    self.width = width
    self.isOptional = isOptional
    super.init(count: count)
  }

  final func fixed(_ index: Int) -> UnsafeRawPointer? {
    let block = start + index / 8 * (8 * width + 1)
    let nils = block.load(as: UInt8.self)
    if isOptional, nils >> UInt8(index % 8) & 1 == 1 { return nil }
    return block + 1 + index % 8 * width
  }
}

final class ObjectIdLeaf: FixedLeaf {
  override var typeName: String { "objectId" }

  override func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    fixed(index).map { RealmObjectId($0) }
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    fixed(index).map { .objectId(RealmObjectId($0)) } ?? .null
  }
}

final class UUIDLeaf: FixedLeaf {
  override var typeName: String { "uuid" }

  override func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    fixed(index).map { UUID(reading: $0) }
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    fixed(index).map { .uuid(UUID(reading: $0)) } ?? .null
  }
}

extension UUID {
  /// Reads 16 bytes.
  init(reading bytes: UnsafeRawPointer) { self.init(uuid: bytes.loadUnaligned(as: uuid_t.self)) }
}
