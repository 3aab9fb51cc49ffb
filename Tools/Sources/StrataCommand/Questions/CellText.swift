import StrataSchema
import StrataStudio

/// The text of a value in a cell of a table, in one line.
enum CellText {
  static func of(_ value: JSONValue, _ property: Property) -> String {
    of(value, type: property.collection == nil ? property.type.rawValue : nil)
  }

  private static func of(_ value: JSONValue, type: String?) -> String {
    switch value {
    case .null: "nil"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .int(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): type == PropertyType.date.rawValue ? date(text) : text
    case .array: value.description
    case .object: object(value)
    }
  }

  /// Whether the cells of the property are numbers, which are right-aligned.
  static func isNumber(_ property: Property) -> Bool {
    property.collection != nil
      || [.int, .float, .double, .decimal128].contains(property.type)
  }

  /// A date without trailing zeros in its fraction.
  private static func date(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = text
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private static func object(_ value: JSONValue) -> String {
    if let label = value["label"]?.text { return label }
    if let count = value["count"]?.integer { return "\(count)" }
    if let bytes = value["bytes"]?.integer { return Figures.bytes(Int(bytes)) }
    if let text = value["text"]?.text { return text + "…" }
    if let invalid = value["invalid"] { return "invalid: \(invalid)" }
    guard let inner = value["value"] else { return value.description }
    return of(inner, type: value["type"]?.text)
  }
}
