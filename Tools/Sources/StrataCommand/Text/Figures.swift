import Foundation

/// The formats of numbers, sizes and times. They don't depend on the language of the system.
enum Figures {
  /// `1,234,567`.
  static func count(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// A number with the noun it counts: `1 object`, `1,234 objects`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A size in decimal units: `812 bytes`, `40.9 kB`, `1.2 GB`.
  static func bytes(_ number: Int) -> String {
    guard number >= 1000 else { return count(number, "byte") }
    var value = Double(number)
    var unit = 0
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    // 999,950 bytes would be shown as 1000.0 kB.
    while value >= 999.95, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return "\(tenths(value)) \(units[unit])"
  }

  /// `2026-11-22 18:00:01 UTC`.
  static func time(_ date: Date) -> String {
    iso(date).replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: " UTC")
  }

  /// `2026-11-22T18:00:01Z`, for programs.
  static func iso(_ date: Date) -> String { date.ISO8601Format() }

  /// `0.012 s`, `3.4 s`, `2 min 5 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = seconds(duration)
    if seconds < 1 { return "\(rounded(seconds, 1000)) s" }
    if seconds < 100 { return "\(tenths(seconds)) s" }
    let whole = Int(min(seconds.rounded(), 1e15))
    return "\(count(whole / 60)) min \(whole % 60) s"
  }

  static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  private static func tenths(_ value: Double) -> String { rounded(value, 10) }

  private static func rounded(_ value: Double, _ parts: Double) -> String {
    "\((value * parts).rounded() / parts)"
  }
}
