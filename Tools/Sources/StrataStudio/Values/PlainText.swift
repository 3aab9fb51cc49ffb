/// Text of a file as a terminal may show it.
///
/// A class can have any name, also one with line breaks, with sequences that move the cursor, or
/// with marks that turn the direction of writing. Such characters are shown as Swift writes them:
/// `\u{1B}`.
package enum PlainText {
  package static func of(_ text: String) -> String {
    // Most texts: the properties of their characters take longer than all else of a table.
    if isPlain(text) { return text }
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        result += escaped(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a text has nothing but visible characters of ASCII and spaces.
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
    // Joiners are a part of emoji and of words; the others turn the direction, or are invisible.
    case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }
}
