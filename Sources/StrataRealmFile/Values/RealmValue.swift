public import Foundation

/// The value of a property, or of an element of a collection, as stored in the file.
public enum RealmValue: Sendable, Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(RealmDate)
  case decimal(RealmDecimal)
  case objectId(RealmObjectId)
  case uuid(UUID)
  /// A link to an object, or to an embedded one.
  case object(RealmLink)
  case list([RealmValue])
  /// The elements of a set, in the order of the file.
  case set([RealmValue])
  /// The entries of a dictionary, in the order of the file.
  ///
  /// Keys differ if their bytes do. Two such keys can be equal as `String`, so this is no
  /// `Dictionary`.
  case dictionary([RealmEntry])
}

/// A date as Realm stores it: exact to the nanosecond, with seconds of 64 bits.
public struct RealmDate: Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  public var seconds: Int64
  /// Nanoseconds to add, from -999,999,999 to 999,999,999. Their sign never differs from the
  /// seconds'.
  public var nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The nearest `Date`, which is exact to about 100 nanoseconds in this century.
  public var date: Date {
    // Each part is exact as a `Double`, up to 2⁵³ seconds.
    let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: sinceReference + Double(nanoseconds) / 1e9)
  }
}

/// A key and a value of a dictionary.
public struct RealmEntry: Sendable, Hashable {
  public var key: String
  public var value: RealmValue

  public init(key: String, value: RealmValue) {
    self.key = key
    self.value = value
  }
}

/// The content of a link: the class of an object, and its key.
public struct RealmLink: Sendable, Hashable {
  public var className: String
  /// The key of the object, which is unique in its class.
  public var objectKey: Int64

  public init(className: String, objectKey: Int64) {
    self.className = className
    self.objectKey = objectKey
  }
}

/// The 12 bytes of an `ObjectId`.
public struct RealmObjectId: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt32

  /// Reads 12 bytes.
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// The bytes, in the order of printing.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian, Array.init) + withUnsafeBytes(of: low.bigEndian, Array.init)
  }
}

extension RealmObjectId: CustomStringConvertible {
  /// The bytes as 24 hexadecimal digits.
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
