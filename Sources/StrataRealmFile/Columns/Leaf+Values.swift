import Foundation

/// Values by their positions, which the caller has checked against the count.
extension Leaf {
  func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    switch self {
    case .ints(let integers): return integers[index]
    case .optionalInts(let integers):
      let value = integers[index + 1]
      return value == integers[0] ? nil : value
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .int(let value): return value
      case let item: throw .wrongType(item.typeName, "int")
      }
    default: throw .wrongType(typeName, "int")
    }
  }

  func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    switch self {
    case .bools(let integers):
      let value = integers[index]
      return value == 3 ? nil : value != 0
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .bool(let value): return value
      case let item: throw .wrongType(item.typeName, "bool")
      }
    default: throw .wrongType(typeName, "bool")
    }
  }

  func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    switch self {
    case .floats(let start, let isOptional):
      let bits = UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self))
      return isOptional && bits == 0x7FC0_00AA ? nil : Float(bitPattern: bits)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .float(let value): return value
      case let item: throw .wrongType(item.typeName, "float")
      }
    default: throw .wrongType(typeName, "float")
    }
  }

  func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    switch self {
    case .doubles(let start, let isOptional):
      let bits = UInt64(littleEndian: start.load(fromByteOffset: 8 * index, as: UInt64.self))
      return isOptional && bits == 0x7FF8_0000_0000_00AA ? nil : Double(bitPattern: bits)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .double(let value): return value
      case let item: throw .wrongType(item.typeName, "double")
      }
    default: throw .wrongType(typeName, "double")
    }
  }

  func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    switch self {
    case .dates(let seconds, let nanoseconds, let offset):
      let value = seconds[index + 1]
      guard value != seconds[0] else { return nil }
      return try RealmDate(checking: value, nanoseconds[index], at: offset)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .date(let value): return value
      case let item: throw .wrongType(item.typeName, "date")
      }
    default: throw .wrongType(typeName, "date")
    }
  }

  func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
    switch self {
    case .decimals(let start, let width, let isOptional, let areZero):
      return Self.decimal(start, width, index, isOptional: isOptional, areZero: areZero)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .decimal(let value): return value
      case let item: throw .wrongType(item.typeName, "decimal")
      }
    default: throw .wrongType(typeName, "decimal")
    }
  }

  private static func decimal(
    _ start: UnsafeRawPointer, _ width: Int, _ index: Int, isOptional: Bool, areZero: Bool
  ) -> RealmDecimal? {
    switch width {
    case 4:
      let bits = UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self))
      return isOptional && bits == 0x7C00_00AA ? nil : RealmDecimal(decimal32: bits)
    case 8:
      let bits = UInt64(littleEndian: start.load(fromByteOffset: 8 * index, as: UInt64.self))
      return isOptional && bits == 0x7C00_0000_0000_00AA ? nil : RealmDecimal(decimal64: bits)
    case 16:
      let low = UInt64(littleEndian: start.load(fromByteOffset: 16 * index, as: UInt64.self))
      let high = UInt64(littleEndian: start.load(fromByteOffset: 16 * index + 8, as: UInt64.self))
      return isOptional && high == 0x7C00_0000_0000_0000 && low == 0xAA
        ? nil : RealmDecimal(high: high, low: low)
    default:
      // Without elements all are the same.
      return isOptional && !areZero ? nil : RealmDecimal(decimal32: 101 << 23)
    }
  }

  func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    switch self {
    case .objectIds(let start, let isOptional):
      return Self.fixed(start, 12, index, isOptional).map { RealmObjectId($0) }
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .objectId(let bytes): return RealmObjectId(bytes)
      case let item: throw .wrongType(item.typeName, "objectId")
      }
    default: throw .wrongType(typeName, "objectId")
    }
  }

  func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    switch self {
    case .uuids(let start, let isOptional):
      return Self.fixed(start, 16, index, isOptional).map(Self.uuid)
    case .mixed(let mixed):
      switch try mixed.item(index, in: pass) {
      case .null: return nil
      case .uuid(let bytes): return Self.uuid(bytes)
      case let item: throw .wrongType(item.typeName, "uuid")
      }
    default: throw .wrongType(typeName, "uuid")
    }
  }

  private static func uuid(_ bytes: UnsafeRawPointer) -> UUID {
    UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  private static func fixed(
    _ start: UnsafeRawPointer, _ width: Int, _ index: Int, _ isOptional: Bool
  ) -> UnsafeRawPointer? {
    let block = start + index / 8 * (8 * width + 1)
    let nils = block.load(as: UInt8.self)
    if isOptional, nils >> UInt8(index % 8) & 1 == 1 { return nil }
    return block + 1 + index % 8 * width
  }
}
