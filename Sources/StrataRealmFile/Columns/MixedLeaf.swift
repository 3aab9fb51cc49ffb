import Foundation

/// A leaf of mixed values. A value of one type is read like from a leaf of that type.
final class MixedLeaf: Leaf {
  private let values: MixedValues

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    values = try MixedValues(node, in: pass)
    super.init(count: values.count)
  }

  override var kind: Kind { .mixed }
  override var typeName: String { "mixed" }

  /// Returns the value at a position.
  func item(_ index: Int, in pass: Pass) throws(RealmFileError) -> MixedValues.Item {
    try values.item(index, in: pass)
  }

  override func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .int(let value): return value
    case let item: throw .wrongType(item.typeName, "int")
    }
  }

  override func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .bool(let value): return value
    case let item: throw .wrongType(item.typeName, "bool")
    }
  }

  override func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .float(let value): return value
    case let item: throw .wrongType(item.typeName, "float")
    }
  }

  override func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .double(let value): return value
    case let item: throw .wrongType(item.typeName, "double")
    }
  }

  override func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .date(let value): return value
    case let item: throw .wrongType(item.typeName, "date")
    }
  }

  override func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .decimal(let value): return value
    case let item: throw .wrongType(item.typeName, "decimal")
    }
  }

  override func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .objectId(let bytes): return RealmObjectId(bytes)
    case let item: throw .wrongType(item.typeName, "objectId")
    }
  }

  override func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .uuid(let bytes): return UUID(reading: bytes)
    case let item: throw .wrongType(item.typeName, "uuid")
    }
  }

  override func text(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .string(let bytes): return bytes
    case let item: throw .wrongType(item.typeName, "string")
    }
  }

  override func data(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .data(let bytes): return bytes
    case let item: throw .wrongType(item.typeName, "data")
    }
  }

  override func bytes(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .string(let bytes), .data(let bytes): return bytes
    case let item: throw .wrongType(item.typeName, "bytes")
    }
  }

  override func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    switch try item(index, in: pass) {
    case .null: return nil
    case .link(let table, let key): return (key, table)
    case let item: throw .wrongType(item.typeName, "link")
    }
  }
}
