/// The elements of an array of integers, each of the same width.
///
/// The maker of one has checked that its bytes are there; its reader, that the position is smaller
/// than the count.
struct Integers {
  let start: UnsafeRawPointer
  let count: Int
  /// The bits of an element are `1 << (code - 1)`, and none for 0.
  let widthCode: UInt8

  init(_ node: Node) {
    start = node.payload
    count = node.count
    widthCode = node.widthCode
  }

  /// An element: signed from 8 bits on, and not below.
  subscript(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count)
    switch widthCode {
    case 0: return 0
    case 1, 2, 3: return Int64(packed(index))
    case 4: return Int64(start.load(fromByteOffset: index, as: Int8.self))
    case 5: return Int64(Int16(littleEndian: start.load(fromByteOffset: 2 * index, as: Int16.self)))
    case 6: return Int64(Int32(littleEndian: start.load(fromByteOffset: 4 * index, as: Int32.self)))
    default: return Int64(littleEndian: start.load(fromByteOffset: 8 * index, as: Int64.self))
    }
  }

  /// An element of the arrays whose elements of 8, 16 and 32 bits have no sign: keys and offsets.
  func unsigned(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count)
    switch widthCode {
    case 4: return Int64(start.load(fromByteOffset: index, as: UInt8.self))
    case 5:
      return Int64(UInt16(littleEndian: start.load(fromByteOffset: 2 * index, as: UInt16.self)))
    case 6:
      return Int64(UInt32(littleEndian: start.load(fromByteOffset: 4 * index, as: UInt32.self)))
    default: return self[index]
    }
  }

  /// An element of 1, 2 or 4 bits: the lowest bits of a byte come first.
  private func packed(_ index: Int) -> UInt8 {
    let bits = 1 << (Int(widthCode) - 1)
    let position = index * bits
    let byte = start.load(fromByteOffset: position / 8, as: UInt8.self)
    return byte >> UInt8(position % 8) & UInt8(1 << bits - 1)
  }
}

extension Integers {
  /// The elements of an array that has fewer than the caller asked for are zeros.
  func element(_ index: Int) -> Int64 { index < count ? self[index] : 0 }
}
