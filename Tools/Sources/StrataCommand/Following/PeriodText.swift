import Foundation

/// Periods as users write them: `90s`, `15m`, `1h`, `7d`.
enum PeriodText {
  /// Parses a period to seconds. Returns nil for other texts, and for zero or less.
  static func seconds(_ text: some StringProtocol) -> TimeInterval? {
    let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let last = text.last, let unit = units[last], let number = Int(text.dropLast()),
      (1...1_000_000).contains(number)
    else { return nil }
    return TimeInterval(number) * unit
  }
}
