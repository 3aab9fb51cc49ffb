import Foundation

/// Swift source without comments and without the text of string literals.
///
/// Lines stay where they are. Code inside of string interpolations is kept.
struct SwiftCode {
  let text: String

  let words: [Word]
  let declarations: Declarations

  init(_ source: String) {
    var scanner = Scanner(source)
    scanner.scanCode(inInterpolation: false)
    text = String(decoding: scanner.code, as: UTF8.self)
    words = Self.words(of: scanner.code)
    declarations = Self.declarations(of: text, words)
  }

  /// A name or keyword with its line, and the name before it if a dot joins the two.
  struct Word {
    var text: String
    var line: Int
    /// Nil without a dot, empty when the dot follows something else than a name.
    var qualifier: String?
  }

  private static func words(of code: [UInt8]) -> [Word] {
    var words: [Word] = []
    var line = 1
    var word: [UInt8] = []
    var afterDot = false
    var dotJoinsWords = false
    func finish() {
      guard !word.isEmpty else { return }
      let qualifier = afterDot ? (dotJoinsWords ? words.last?.text ?? "" : "") : nil
      let text = String(decoding: word, as: UTF8.self)
      words.append(Word(text: text, line: line, qualifier: qualifier))
      word = []
      afterDot = false
    }
    for byte in code {
      if Scanner.isWordByte(byte) {
        word.append(byte)
      } else if byte == UInt8(ascii: ".") {
        dotJoinsWords = !word.isEmpty
        finish()
        afterDot = true
      } else {
        let wasWord = !word.isEmpty
        finish()
        // A dot belongs to the word after it, also when that word is not close by.
        if wasWord || !Scanner.isBlank(byte) { afterDot = false }
        if byte == UInt8(ascii: "\n") { line += 1 }
      }
    }
    finish()
    return words
  }

  struct Import {
    var module: String
    var line: Int
    var isTestable: Bool
  }

  var imports: [Import] {
    let pattern =
      #/
      ^\s*((?:@\w+(?:\([^)]*\))?\s+)*)
      (?:(?:public|package|internal|fileprivate|private)\s+)?
      import\s+
      (?:(?:typealias|struct|class|enum|protocol|let|var|func|actor|macro)\s+)?
      (\w+)
      /#
    var imports: [Import] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let numbers = Set(words.filter { $0.text == "import" }.map { $0.line - 1 }).sorted()
    for (index, line) in numbers.map({ ($0, lines[$0]) }) {
      for statement in line.split(separator: ";") {
        guard let match = statement.firstMatch(of: pattern) else { continue }
        imports.append(
          Import(
            module: String(match.output.2), line: index + 1,
            isTestable: match.output.1.contains("@testable")))
      }
    }
    return imports
  }

  struct Declarations {
    /// Types at the start of a line that other files can see.
    var visible: Set<String> = []
    /// All types, those inside of others and private ones included.
    var all: Set<String> = []
  }

  private static func declarations(of text: String, _ words: [Word]) -> Declarations {
    let pattern =
      #/
      ^(\s*)
      (?:@\w+(?:\([^)]*\))?\s+)*
      ((?:(?:public|package|internal|fileprivate|private|open
        |final|indirect|nonisolated|distributed)(?:\(\w+\))?\s+)*)
      (?:class|struct|enum|protocol|actor|typealias|associatedtype)\s+
      (\w+)
      /#
    let keywords: Set = [
      "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype",
    ]
    var declarations = Declarations()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let numbers = Set(words.filter { keywords.contains($0.text) }.map(\.line))
    for line in numbers.map({ lines[$0 - 1] }) {
      guard let match = line.firstMatch(of: pattern) else { continue }
      let name = String(match.output.3)
      declarations.all.insert(name)
      if match.output.1.isEmpty, !match.output.2.contains("private") {
        declarations.visible.insert(name)
      }
    }
    return declarations
  }
}

extension SwiftCode {
  /// A function, an initializer, or a property that is computed.
  struct Function {
    var line: Int
    var isNeverInlined: Bool
    /// The words in its body and in closures there, without nested functions.
    var words: Set<String> = []
  }

  var functions: [Function] {
    var functions: [Function] = []
    /// For each open brace, the function that it is in; nil outside of all.
    var open: [Int?] = []
    /// The words since the last brace: those before the next one say what it begins.
    var header: [Substring] = []
    var line = 1
    // A word, `.name` for what follows a dot, a brace, or a mark.
    for match in text.matches(of: /\.?[\w]+|[{};=\n]/) {
      let token = match.output
      switch token {
      case "\n": line += 1
      case "{":
        if Self.beginsFunction(header) {
          let inlining = header.lastIndex(of: "inline").map { header[$0...].dropFirst().first }
          functions.append(Function(line: line, isNeverInlined: inlining == "never"))
          open.append(functions.count - 1)
        } else {
          open.append(open.last ?? nil)
        }
        header = []
      case "}":
        _ = open.popLast()
        header = []
      case ";": header = []
      default:
        header.append(token)
        if let function = open.last ?? nil {
          functions[function].words.insert(String(token.trimmingPrefix(".")))
        }
      }
    }
    return functions
  }

  private static let declaring: Set<Substring> = [
    "func", "init", "deinit", "subscript", "var", "let", "struct", "class", "enum", "protocol",
    "actor", "extension", "case",
  ]

  private static func beginsFunction(_ header: [Substring]) -> Bool {
    guard let start = header.lastIndex(where: { declaring.contains($0) }) else { return false }
    switch header[start] {
    case "func", "init", "deinit", "subscript": return true
    // A variable with a value isn't computed.
    case "var": return !header[start...].contains("=")
    default: return false
    }
  }
}

private struct Scanner {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var code: [UInt8] = []

  init(_ source: String) { bytes = Array(source.utf8) }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

  mutating func scanCode(inInterpolation: Bool) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "/") where starts(with: [byte, byte]):
        position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        continue
      case UInt8(ascii: "/") where starts(with: Self.blockStart):
        skipBlockComment()
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        if let hashes = hashesOfLiteral() {
          skipLiteral(hashes: hashes)
          continue
        }
      case UInt8(ascii: "(") where inInterpolation: depth += 1
      case UInt8(ascii: ")") where inInterpolation:
        depth -= 1
        if depth < 0 { return skip(1) }
      default: break
      }
      code.append(byte)
      position += 1
    }
  }

  private static let blockStart = Array("/*".utf8)
  private static let blockEnd = Array("*/".utf8)
  private static let threeQuotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)

  private func starts(with text: [UInt8]) -> Bool {
    position + text.count <= bytes.count
      && text.indices.allSatisfy { bytes[position + $0] == text[$0] }
  }

  /// Goes on by some bytes, of which only the ends of lines are kept.
  private mutating func skip(_ count: Int) {
    for _ in 0..<count where position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { code.append(UInt8(ascii: "\n")) }
      position += 1
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: Self.blockStart) {
        depth += 1
        skip(2)
      } else if starts(with: Self.blockEnd) {
        depth -= 1
        skip(2)
      } else {
        skip(1)
      }
    } while depth > 0 && position < bytes.count
    code.append(UInt8(ascii: " "))
  }

  /// How many `#` a string literal that begins here has; nil when none begins here.
  private func hashesOfLiteral() -> Int? {
    var end = position
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - position : nil
  }

  private mutating func skipLiteral(hashes: Int) {
    let fence = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    skip(hashes)
    let isMultiline = starts(with: Self.threeQuotes)
    let end = Array(Self.threeQuotes.prefix(isMultiline ? 3 : 1)) + fence
    let escape = [UInt8(ascii: "\\")] + fence
    skip(end.count - hashes)
    code.append(UInt8(ascii: " "))
    while position < bytes.count {
      if starts(with: end) { return skip(end.count) }
      if starts(with: escape) {
        skip(1 + hashes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
          skip(1)
          scanCode(inInterpolation: true)
          code.append(UInt8(ascii: " "))
        } else {
          skip(1)
        }
      } else if !isMultiline, bytes[position] == UInt8(ascii: "\n") {
        // Not a literal after all, for example a quote in a regular expression.
        return
      } else {
        skip(1)
      }
    }
  }
}
