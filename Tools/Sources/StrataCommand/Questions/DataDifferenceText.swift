import StrataSchema
import StrataStudio

/// The lines of `strata diff --data`.
enum DataDifferenceText {
  static func lines(_ difference: DataDifference) -> [String] {
    let name = PlainText.of("\(difference.className) \(difference.key.text)")
    switch difference.change {
    case .removed: return ["- \(name)"]
    case .added: return ["+ \(name)"]
    case .changed(let properties):
      return ["~ \(name)"]
        + properties.flatMap { property in
          [("-", property.from), ("+", property.to)].map { sign, value in
            PlainText.of("  \(sign) \(property.name): \(Self.short(value))")
          }
        }
    }
  }

  /// A value for a line, cut to 200 characters.
  private static func short(_ text: String) -> String {
    text.count > 200 ? text.prefix(200) + "…" : text
  }
}
