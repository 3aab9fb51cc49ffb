import StrataStudio

/// The width of a text in a terminal, in columns.
///
/// Most characters take one column. Chinese, Japanese and Korean characters and emoji take two.
/// Combining accents take none. Terminals differ for rare characters: a table is misaligned then,
/// but nothing is lost.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    PlainText.isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  private static func of(_ character: Character) -> Int {
    if character.asciiValue != nil { return 1 }
    let scalars = character.unicodeScalars
    // An emoji is shown as a picture by default, or if U+FE0F follows.
    if scalars.contains(where: { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }) {
      return 2
    }
    guard let base = scalars.first(where: { !isMark($0) }) else { return 0 }
    return wide.contains { $0.contains(base.value) } ? 2 : 1
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  /// The blocks of wide characters (Unicode's East Asian Width).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
