/// The 12 bytes of an `ObjectId`.
public struct RealmObjectId: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt32

  /// Reads 12 bytes.
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// The bytes, in the order in which they are printed.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian, Array.init) + withUnsafeBytes(of: low.bigEndian, Array.init)
  }
}

extension RealmObjectId: CustomStringConvertible {
  /// 24 digits, from 0 to f.
  public var description: String {
    var text = ""
    text.reserveCapacity(24)
    for byte in bytes {
      text += byte < 16 ? "0" : ""
      text += String(byte, radix: 16)
    }
    return text
  }
}
