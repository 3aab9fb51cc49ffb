/// Integers that are never nil.
final class IntLeaf: Leaf {
  private let integers: Integers

  init(_ integers: Integers) {
    self.integers = integers
    super.init(count: integers.count)
  }

  override var typeName: String { "int" }

  override func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    integers[index]
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    .int(integers[index])
  }
}

/// Integers behind the one that stands for nil.
final class OptionalIntLeaf: Leaf {
  private let integers: Integers

  init(_ integers: Integers) {
    self.integers = integers
    super.init(count: integers.count - 1)
  }

  override var typeName: String { "int" }

  override func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    let value = integers[index + 1]
    return value == integers[0] ? nil : value
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try int(index, in: pass).map { .int($0) } ?? .null
  }
}

/// Boolean values: 0, 1, and 3 for nil.
final class BoolLeaf: Leaf {
  private let integers: Integers

  init(_ integers: Integers) {
    self.integers = integers
    super.init(count: integers.count)
  }

  override var typeName: String { "bool" }

  override func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    let value = integers[index]
    return value == 3 ? nil : value != 0
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try bool(index, in: pass).map { .bool($0) } ?? .null
  }
}

/// Floats; one NaN stands for nil.
final class FloatLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let isOptional: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [4])
    start = node.payload
    self.isOptional = isOptional
    super.init(count: node.count)
  }

  override var typeName: String { "float" }

  override func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    let bits = UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self))
    return isOptional && bits == 0x7FC0_00AA ? nil : Float(bitPattern: bits)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try float(index, in: pass).map { .float($0) } ?? .null
  }
}

/// Doubles; one NaN stands for nil.
final class DoubleLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let isOptional: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [8])
    start = node.payload
    self.isOptional = isOptional
    super.init(count: node.count)
  }

  override var typeName: String { "double" }

  override func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    let bits = UInt64(littleEndian: start.load(fromByteOffset: 8 * index, as: UInt64.self))
    return isOptional && bits == 0x7FF8_0000_0000_00AA ? nil : Double(bitPattern: bits)
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try double(index, in: pass).map { .double($0) } ?? .null
  }
}

/// Decimal numbers of 4, 8 or 16 bytes; one NaN stands for nil.
final class DecimalLeaf: Leaf {
  private let start: UnsafeRawPointer
  private let width: Int
  private let isOptional: Bool
  /// Without elements all are the same: zero, or nil.
  private let areZero: Bool

  init(_ node: Node, isOptional: Bool) throws(RealmFileError) {
    try node.expectElements(of: [0, 4, 8, 16])
    start = node.payload
    width = node.width
    areZero = node.hasContext
    self.isOptional = isOptional
    super.init(count: node.count)
  }

  override var typeName: String { "decimal" }

  override func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
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
      return isOptional && !areZero ? nil : RealmDecimal(decimal32: 101 << 23)
    }
  }

  override func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue {
    try decimal(index, in: pass).map { .decimal($0) } ?? .null
  }
}

extension Node {
  /// Checks that elements have one of some numbers of bytes. An empty array may have another.
  fileprivate func expectElements(of widths: [Int]) throws(RealmFileError) {
    guard !hasRefs, count == 0 || encoding == .multiply && widths.contains(width) else {
      throw .damaged(
        "an array of values of \(widths[widths.count - 1]) bytes is expected", at: offset)
    }
  }
}
