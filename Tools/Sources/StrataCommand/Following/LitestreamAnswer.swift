import Foundation
import StrataStorage

/// The answer to `litestream ltx -json`: the transactions that a replica has.
struct LitestreamAnswer: Hashable {
  private struct Entry: Decodable {
    var maximum: String
    var time: String

    private enum CodingKeys: String, CodingKey {
      case maximum = "max_txid"
      case time = "timestamp"
    }
  }

  /// The times at which the last transactions were sent; nil for a time that can't be parsed.
  private(set) var times: [UInt64: Date?] = [:]

  /// - Returns: Nil if the data is not such an answer.
  init?(_ json: Data) {
    do {
      // Litestream writes `null` if there are no transactions.
      for entry in try JSONDecoder().decode([Entry]?.self, from: json) ?? [] {
        guard let position = UInt64(entry.maximum, radix: 16) else { return nil }
        times.updateValue(Self.time(entry.time), forKey: position)
      }
    } catch {
      return nil
    }
  }

  var newest: UInt64? { times.keys.max() }

  /// The time when a transaction was sent; nil if unknown.
  func time(of position: UInt64) -> Date? { times[position] ?? nil }

  private static func time(_ text: String) -> Date? {
    do {
      return try Date(text, strategy: .iso8601)
    } catch {
      // The time only says how old a version is. The version is useful without it.
      return nil
    }
  }
}
