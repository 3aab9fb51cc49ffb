/// A position in the history of one file, after one of its transactions: `4711-9f3c01d2a4b57e60`.
///
/// A token consists of the position of the transaction and a random mark. The mark detects a file
/// that was restored from a copy, or has lost its last transactions: see `Realm.history(after:)`. A
/// token is encoded as its text.
///
/// ```swift
/// UserDefaults.standard.set(token.description, forKey: "indexed")
/// let token = HistoryToken("4711-9f3c01d2a4b57e60")
/// ```
/// Of two tokens of one file, the greater one is the later one: a server keeps the greatest that a
/// user has seen. Tokens of different files can't be compared in that way.
public struct HistoryToken: Sendable, Hashable, Comparable, Codable, LosslessStringConvertible {
  /// The position of the transaction. Positions ascend within a file.
  package let position: Int64
  package let mark: Int64

  package init(position: Int64, mark: Int64) {
    self.position = position
    self.mark = mark
  }

  /// Reads a token; nil for a text that is no token.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 16,
      parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }), let position = Int64(parts[0]),
      position >= 0, let mark = Int64(parts[1], radix: 16), mark >= 0
    else { return nil }
    self.init(position: position, mark: mark)
  }

  public static func < (first: HistoryToken, second: HistoryToken) -> Bool {
    (first.position, first.mark) < (second.position, second.mark)
  }

  /// Rejects the signs that Swift's integers may have.
  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  public var description: String { "\(position)-\(Self.text(ofMark: mark))" }

  /// Returns a mark as 16 hexadecimal digits.
  package static func text(ofMark mark: Int64) -> String {
    hexDigits(of: UInt64(bitPattern: mark))
  }

  /// - Throws: `DecodingError` for a text that is no token.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no token of a history.")
    }
    self = token
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
