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

  /// When each of the last transactions was sent.
  private(set) var times: [UInt64: Date] = [:]

  /// - Returns: Nil for something else.
  init?(_ json: Data) {
    do {
      // Nothing at all is 'null'.
      for entry in try JSONDecoder().decode([Entry]?.self, from: json) ?? [] {
        guard let position = UInt64(entry.maximum, radix: 16) else { return nil }
        let time = try? Date(entry.time, strategy: .iso8601)
        times[position] = time ?? .distantPast
      }
    } catch {
      return nil
    }
  }

  var newest: UInt64? { times.keys.max() }

  /// When a transaction was sent; nil when that isn't known.
  func time(of position: UInt64) -> Date? {
    times[position].flatMap { $0 == .distantPast ? nil : $0 }
  }
}
