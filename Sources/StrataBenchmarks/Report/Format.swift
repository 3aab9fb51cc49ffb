import Foundation

/// Numbers as people read them.
enum Format {
  static func number(_ value: Double) -> String {
    switch abs(value) {
    case 100...: String(format: "%.0f", value)
    case 10...: String(format: "%.1f", value)
    default: String(format: "%.2f", value)
    }
  }

  static func time(_ seconds: Double) -> String {
    switch seconds {
    case 1...: "\(number(seconds)) s"
    case 0.001...: "\(number(seconds * 1e3)) ms"
    case 0.000_001...: "\(number(seconds * 1e6)) µs"
    default: "\(number(seconds * 1e9)) ns"
    }
  }

  static func range(_ least: Double, _ greatest: Double, _ format: (Double) -> String) -> String {
    "[\(format(least))…\(format(greatest))]"
  }

  /// 1000000 as 1,000,000.
  static func count(_ value: Int) -> String {
    var groups = String(value)[...]
    var text = ""
    while groups.count > 3 {
      text = ",\(groups.suffix(3))\(text)"
      groups = groups.dropLast(3)
    }
    return groups + text
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
