extension FormatLexer {
  mutating func placeholder() throws(PredicateProblem) -> FormatToken {
    let start = offset
    offset += 1
    skip { Self.isDigit($0) || Self.flags.contains($0) }
    skip { Self.lengths.contains($0) }
    let letter = byte(at: offset).map { Unicode.Scalar($0) }
    if offset < bytes.count { offset += 1 }
    switch letter {
    case "@" where offset == start + 2: return token(.placeholder(.any), from: start)
    case "K" where offset == start + 2: return token(.placeholder(.name), from: start)
    case "d", "D", "i", "u", "U", "x", "X", "o", "O", "c", "C", "f", "F", "e", "E", "g", "G", "a",
      "A":
      return token(.placeholder(.number), from: start)
    case "s", "S": return token(.placeholder(.text), from: start)
    case "%":
      throw problem("'%%' has no meaning", at: start, repair: "Write the sign as a text: '%'.")
    case "$":
      throw problem(
        "Placeholders have no positions", at: start, repair: "Give an argument for each.")
    default:
      throw problem("'%' begins no placeholder here", at: start, repair: "Use '%@' for a value.")
    }
  }

  private static let flags = Array(" #+-.".utf8)
  /// The letters that say how large a number is, which means nothing here.
  private static let lengths = Array("hlqLjzt".utf8)

  /// Whether a placeholder is inside of a text, where it is none.
  static func hasPlaceholderInText(_ format: String) -> Bool {
    var lexer = FormatLexer(format)
    while true {
      do throws(PredicateProblem) {
        let token = try lexer.next()
        switch token.kind {
        case .end: return false
        case .text:
          let text = lexer.bytes[token.start..<token.end]
          if text.contains(UInt8(ascii: "%")) { return true }
        default: break
        }
      } catch {
        return false
      }
    }
  }
}
