extension QueryPredicate: CustomStringConvertible {
  /// The condition as a format string, for people.
  ///
  /// Values without a literal are described, such as `<3 bytes>`. The result of ``format()`` can be
  /// parsed again.
  package var description: String {
    PredicatePrinter(self, takesArguments: false).text
  }

  /// The condition as a format string and its arguments.
  ///
  /// Parsing these gives the same tree:
  /// ```swift
  /// let (text, arguments) = predicate.format()
  /// try QueryFormat.parse(text, arguments) == predicate
  /// ```
  ///
  /// This is true for every tree that a text can describe. A tree with an invalid part results in a
  /// text that is no condition. A chain of less than two parts, and a name that is empty or has
  /// dots, are parsed as a different tree.
  package func format() -> (text: String, arguments: [QueryOperand]) {
    let printer = PredicatePrinter(self, takesArguments: true)
    return (printer.text, printer.arguments)
  }
}

extension QueryOperand: CustomStringConvertible {
  /// The operand as in a format string, for people.
  package var description: String { PredicatePrinter(self).text }
}

extension QueryPath: CustomStringConvertible {
  /// The path as in a format string, for people.
  package var description: String { QueryOperand.path(self).description }

  /// The path for logs, without the keys of maps, which are values of the program.
  var loggable: String {
    var path = self
    path.parts = parts.map { if case .key = $0 { .key("…") } else { $0 } }
    return path.description
  }
}

extension QueryValue {
  /// The value as a literal of a format string; nil if no literal has the same value.
  var literal: String? {
    switch self {
    case .null: "NULL"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .int(let value): "\(value)"
    case .double(let value): value.isFinite ? "\(value)" : nil
    case .string(let value): Self.quoted(value)
    case .decimal(let value): Self.isLiteralInteger(value) ? value : nil
    case .float, .data, .date, .uuid, .objectId, .object, .members, .nested, .shape, .unsupported:
      nil
    }
  }

  /// The value in words, if it has no literal.
  var placeholderDescription: String {
    switch self {
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let text): text
    case .data(let bytes): "<\(bytes.count) bytes>"
    case .date(let text): "<date \(text)>"
    case .uuid(let text): "<UUID \(text)>"
    case .objectId(let text): "<ObjectId \(text)>"
    case .object(let object): "<\(object.className)\(object.row.map { " \($0)" } ?? "")>"
    case .members(let members): "<\(members.className)>"
    case .nested(let text): text
    case .shape(let shape): shape.description
    case .unsupported(let name): "<\(name)>"
    case .null, .bool, .int, .string: literal ?? ""
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": result += "\\u" + scalar.hexadecimal
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// Whether the digits are an integer that needs more than 64 bits, in the parser's notation.
  private static func isLiteralInteger(_ text: String) -> Bool {
    var lexer = FormatLexer(text)
    do throws(PredicateProblem) {
      let token = try lexer.next()
      guard token.kind == .number, token.end == lexer.bytes.count else { return false }
      return try lexer.value(ofNumber: token) == .decimal(text)
    } catch {
      return false
    }
  }
}
