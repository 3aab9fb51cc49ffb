import StrataStudio

/// A text as JavaScript has it.
enum JSONText {
  static func of(_ text: String) -> String { "\(JSONValue.text(text))" }
}
