import Foundation

/// Integers. If they are optional, the first one represents nil.
final class IntLeaf: Leaf {
  private let integers: Integers
  private let isOptional: Bool

  init(_ integers: Integers, isOptional: Bool) {
    self.integers = integers
    self.isOptional = isOptional
    super.init(.int, count: isOptional ? integers.count - 1 : integers.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    guard isOptional else { return .int(integers[index]) }
    let value = integers[index + 1]
    return value == integers[0] ? .null : .int(value)
  }
}

/// Boolean values: 0, 1, and 3 for nil.
final class BoolLeaf: Leaf {
  private let integers: Integers

  init(_ integers: Integers) {
    self.integers = integers
    super.init(.bool, count: integers.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let value = integers[index]
    return value == 3 ? .null : .bool(value != 0)
  }
}

/// Floats; one NaN represents nil.
final class FloatLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let isOptional: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [4])
    start = node.payload
    self.isOptional = isOptional
    super.init(.float, count: node.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let bits = UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self))
    return isOptional && bits == 0x7FC0_00AA ? .null : .float(Float(bitPattern: bits))
  }
}

/// Doubles; one NaN represents nil.
final class DoubleLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let isOptional: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [8])
    start = node.payload
    self.isOptional = isOptional
    super.init(.double, count: node.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let bits = UInt64(littleEndian: start.load(fromByteOffset: 8 * index, as: UInt64.self))
    return isOptional && bits == 0x7FF8_0000_0000_00AA ? .null : .double(Double(bitPattern: bits))
  }
}

/// Decimal numbers of 4, 8 or 16 bytes; one NaN represents nil.
final class DecimalLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let width: Int
  private let isOptional: Bool
  /// Without elements all values are the same: zero, or nil.
  private let areZero: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [0, 4, 8, 16])
    start = node.payload
    width = node.width
    areZero = node.hasContext
    self.isOptional = isOptional
    super.init(.decimal, count: node.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    switch width {
    case 4:
      let bits = UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self))
      return isOptional && bits == 0x7C00_00AA ? .null : .decimal(RealmDecimal(decimal32: bits))
    case 8:
      let bits = UInt64(littleEndian: start.load(fromByteOffset: 8 * index, as: UInt64.self))
      return isOptional && bits == 0x7C00_0000_0000_00AA
        ? .null : .decimal(RealmDecimal(decimal64: bits))
    case 16:
      let low = UInt64(littleEndian: start.load(fromByteOffset: 16 * index, as: UInt64.self))
      let high = UInt64(littleEndian: start.load(fromByteOffset: 16 * index + 8, as: UInt64.self))
      return isOptional && high == 0x7C00_0000_0000_0000 && low == 0xAA
        ? .null : .decimal(RealmDecimal(high: high, low: low))
    default:
      return isOptional && !areZero ? .null : .decimal(RealmDecimal(decimal32: 101 << 23))
    }
  }
}

extension Node {
  /// Checks that elements have one of some sizes in bytes. An empty array may have another size.
  fileprivate func expectElements(of widths: [Int]) throws(RealmFileError) {
    guard !hasRefs, count == 0 || encoding == .multiply && widths.contains(width) else {
      throw .damaged(
        "an array of values of \(widths[widths.count - 1]) bytes is expected", at: offset)
    }
  }
}

/// Dates: seconds, preceded by the number that represents nil, and nanoseconds.
final class DateLeaf: Leaf {
  private let seconds: Integers
  private let nanoseconds: Integers
  private let offset: Int

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    let refs = try Refs(node)
    seconds = try pass.integers(refs.required(0))
    nanoseconds = try pass.integers(refs.required(1))
    offset = node.offset
    guard seconds.count == nanoseconds.count + 1 else {
      throw .damaged("dates have \(seconds.count) seconds", at: node.offset)
    }
    super.init(.date, count: nanoseconds.count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let value = seconds[index + 1]
    guard value != seconds[0] else { return .null }
    return .date(try RealmDate(checking: value, nanoseconds[index], at: offset))
  }
}

extension RealmDate {
  init(checking seconds: Int64, _ nanoseconds: Int64, at offset: Int) throws(RealmFileError) {
    guard (-999_999_999...999_999_999).contains(nanoseconds),
      seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
    else { throw .damaged("a date has \(nanoseconds) nanoseconds", at: offset) }
    self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }
}

/// Values of 12 or 16 bytes. Each group of 8 values follows a byte with one bit per value, which is
/// set for nil.
final class FixedLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let width: Int
  private let isOptional: Bool

  init(
    _ node: Node, _ type: RealmPropertyType, width: Int, isOptional: Bool
  ) throws(RealmFileError) {
    let block = 8 * width + 1
    let count = (node.count - (node.count + block - 1) / block) / width
    guard !node.hasRefs, node.count == 0 || node.encoding == .multiply && node.width == 1,
      node.count == count * width + (count + 7) / 8
    else { throw .damaged("an array of values of \(width) bytes is expected", at: node.offset) }
    start = node.payload
    self.width = width
    self.isOptional = isOptional
    super.init(type, count: count)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> FileValue {
    let block = start + index / 8 * (8 * width + 1)
    let nils = block.load(as: UInt8.self)
    if isOptional, nils >> UInt8(index % 8) & 1 == 1 { return .null }
    let bytes = block + 1 + index % 8 * width
    return type == .uuid ? .uuid(bytes) : .objectId(bytes)
  }
}

extension UUID {
  /// Reads 16 bytes.
  init(reading bytes: UnsafeRawPointer) { self.init(uuid: bytes.loadUnaligned(as: uuid_t.self)) }
}
