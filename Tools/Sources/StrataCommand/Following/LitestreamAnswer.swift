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

  /// The times at which the last transactions were sent; nil where a time can't be read.
  private(set) var times: [UInt64: Date?] = [:]

  /// - Returns: Nil for something else.
  init?(_ json: Data) {
    do {
      // Nothing at all is 'null'.
      for entry in try JSONDecoder().decode([Entry]?.self, from: json) ?? [] {
        guard let position = UInt64(entry.maximum, radix: 16) else { return nil }
        times.updateValue(Self.time(entry.time), forKey: position)
      }
    } catch {
      return nil
    }
  }

  var newest: UInt64? { times.keys.max() }

  /// When a transaction was sent; nil when that isn't known.
  func time(of position: UInt64) -> Date? { times[position] ?? nil }

  private static func time(_ text: String) -> Date? {
    do {
      return try Date(text, strategy: .iso8601)
    } catch {
      // It says how far a version is behind, and the version is good without it.
      return nil
    }
  }
}
