/// Text of a file that is safe to show in a terminal.
///
/// A class name may contain line breaks, escape sequences, or characters that change the writing
/// direction. Such characters are shown as Swift escapes: `\u{1B}`.
package enum PlainText {
  package static func of(_ text: String) -> String {
    // Fast path for most texts: Unicode properties would dominate the time of a table.
    if isPlain(text) { return text }
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.unicodeScalars.map { isUnsafe($0) ? escaped($0) : String($0) }.joined()
  }

  /// Whether a text has only visible ASCII characters and spaces.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    // Joiners are part of emoji and words. Other format characters change the direction, or are
    // invisible.
    case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }
}
