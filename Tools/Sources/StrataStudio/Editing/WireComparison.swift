import StrataSchema
import StrataStorage

extension JSONValue {
  /// Whether a value that a page sends back equals this current one.
  ///
  /// JavaScript writes 5.0 as `5`. Labels and problems are ignored. Texts are compared by their
  /// bytes: in Swift, the composed and the decomposed `é` are equal.
  func isSame(asSent sent: JSONValue) -> Bool {
    switch (self, sent) {
    case (.int(let number), .number(let other)): Double(number) == other
    case (.int(let number), _): sent.integer == number
    case (.number(let number), _): sent.double == number
    case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy { $0.isSame(asSent: $1) }
    case (.object(let members), .object):
      members.allSatisfy { member in
        Self.isIgnored(member.name) || sent[member.name].map(member.value.isSame) == true
      }
    default: self == sent
    }
  }

  private static func isIgnored(_ name: String) -> Bool { name == "label" || name == "problem" }

  /// The number, including infinities and NaN, which JSON writes as texts.
  var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .number(let number): number
    case .text("Infinity"): .infinity
    case .text("-Infinity"): -.infinity
    default: nil
    }
  }

  private static let longestShown = 60

  /// The value as a message shows it.
  var shown: String {
    switch self {
    case .null: return "nil"
    case .bool(let isTrue): return "\(isTrue)"
    case .int(let number): return "\(number)"
    case .number(let number): return "\(number)"
    case .text(let text):
      let start = PlainText.of(String(text.prefix(Self.longestShown)))
      return "'\(start)\(text.count > Self.longestShown ? "…" : "")'"
    case .array(let values): return "\(values.count) elements"
    case .object:
      if let text = self["text"] { return text.shown }
      if let label = self["label"]?.text { return PlainText.of(label) }
      if let id = self["id"]?.integer { return "object \(id)" }
      if let count = self["bytes"]?.integer { return "\(count) bytes" }
      return (self["value"] ?? self["invalid"])?.shown ?? "another value"
    }
  }
}

extension _StoredElement {
  /// Whether the value is data that equals the hexadecimal digits of a page.
  func isSame(asBytes digits: String, type: String?) -> Bool {
    guard case .blob(let bytes) = value, type == self.type else { return false }
    return hexBytes(digits.utf8) == bytes
  }
}
