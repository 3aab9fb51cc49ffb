public import Foundation
import StrataSchema
import Synchronization

/// An identifier of 12 bytes that is unique without a central authority.
///
/// An id consists of the seconds since 1970 at its creation (4 bytes), a random value of the
/// process (5 bytes) and a counter that starts at a random value (3 bytes). So ids sort
/// approximately in the order of creation.
public struct ObjectId: Sendable, Hashable {
  // The first eight bytes and the last four, big-endian.
  private let high: UInt64
  private let low: UInt32

  private init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Creates the id whose bytes are all zero. ``generate()`` returns a new one.
  public init() {
    self.init(high: 0, low: 0)
  }

  /// Returns a new id, different from all others.
  public static func generate() -> ObjectId {
    ObjectId(seconds: seconds(of: Date()), middle: processRandom)
  }

  /// Creates an id with the given time and numbers, and the next value of the counter.
  ///
  /// - Parameters:
  ///   - timestamp: Whole seconds in the years 1970 to 2106; other times are clamped.
  ///   - machineId: A number of which the lowest 3 bytes are kept.
  ///   - processId: A number of which the lowest 2 bytes are kept.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
    let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
    self.init(seconds: Self.seconds(of: timestamp), middle: machine << 16 | process)
  }

  /// - Parameter middle: The five bytes between the time and the counter.
  private init(seconds: UInt32, middle: UInt64) {
    let count = Self.counter.wrappingAdd(1, ordering: .relaxed).oldValue & 0xFF_FFFF
    self.init(
      high: UInt64(seconds) << 32 | middle >> 8, low: UInt32(middle & 0xFF) << 24 | count)
  }

  /// The time at which the id was created, in whole seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(high >> 32)) }

  private static let counter = Atomic<UInt32>(.random(in: 0...0xFF_FFFF))
  private static let processRandom = UInt64.random(in: 0...0xFF_FFFF_FFFF)

  private static func seconds(of date: Date) -> UInt32 {
    let seconds = date.timeIntervalSince1970
    return seconds > 0 ? UInt32(min(seconds, Double(UInt32.max))) : 0
  }
}

extension ObjectId: Comparable {
  /// Compares byte by byte, and therefore by time first.
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool {
    (lhs.high, lhs.low) < (rhs.high, rhs.low)
  }
}

extension ObjectId {
  /// Creates the id from 24 hexadecimal digits.
  ///
  /// - Throws: ``RealmError`` with code `fail` for any other text.
  public init(string: String) throws {
    var copy = string
    if let id = copy.withUTF8(ObjectId.init(utf8:)) {
      self = id
      return
    }
    let rule = "an ObjectId is written as 24 hexadecimal digits"
    let count = string.count
    let found = count == 24 ? "other characters are among these" : "these are \(count) characters"
    throw RealmError(
      .fail, "'\(string)' is not an ObjectId: \(rule), and \(found).",
      logged: "The text is not an ObjectId: \(rule), and \(found).")
  }

  /// Creates the id from a literal of 24 hexadecimal digits. Any other literal stops the process.
  ///
  /// Use ``init(string:)`` for texts that are not literals.
  public init(_ str: StaticString) {
    do {
      try self.init(string: "\(str)")
    } catch {
      stopForProgrammerError("\(error)")
    }
  }

  /// Creates the id from UTF-8 of 24 hexadecimal digits; nil for anything else.
  package init?(utf8: UnsafeBufferPointer<UInt8>) {
    guard utf8.count == Self.length else { return nil }
    var value: UInt128 = 0
    for byte in utf8 {
      guard let digit = hexValue(byte) else { return nil }
      value = value << 4 | UInt128(digit)
    }
    self.init(
      high: UInt64(truncatingIfNeeded: value >> 32), low: UInt32(truncatingIfNeeded: value))
  }

  /// The id as 24 lower-case hexadecimal digits.
  public var stringValue: String {
    String(unsafeUninitializedCapacity: Self.length) { buffer in
      var rest = UInt128(high) << 32 | UInt128(low)
      for index in (0..<Self.length).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest & 15)
        buffer[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        rest >>= 4
      }
      return Self.length
    }
  }

  private static let length = 24
}

extension ObjectId: CustomStringConvertible {
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// Decodes a text of 24 hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(string: container.decode(String.self))
    } catch let error as RealmError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes a text of 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
