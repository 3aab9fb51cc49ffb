/// A printer of conditions as format strings.
///
/// The printer keeps the remaining parts on its own stack, so that a deep tree can't overflow the
/// thread's stack.
struct PredicatePrinter {
  private enum Item {
    case text(String)
    case predicate(QueryPredicate, isPart: Bool)
    case operand(QueryOperand)
  }

  /// Whether values without a literal become arguments; otherwise they are described.
  private let takesArguments: Bool
  private(set) var text = ""
  private(set) var arguments: [QueryOperand] = []
  private var items: [Item] = []

  init(_ predicate: QueryPredicate, takesArguments: Bool) {
    self.init(.predicate(predicate, isPart: false), takesArguments: takesArguments)
  }

  init(_ operand: QueryOperand) {
    self.init(.operand(operand), takesArguments: false)
  }

  private init(_ item: Item, takesArguments: Bool) {
    self.takesArguments = takesArguments
    items = [item]
    while let item = items.popLast() {
      switch item {
      case .text(let part): text += part
      case .predicate(let predicate, let isPart): write(predicate, isPart: isPart)
      case .operand(let operand): write(operand)
      }
    }
  }

  // MARK: - Conditions

  private mutating func write(_ predicate: QueryPredicate, isPart: Bool) {
    switch predicate {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): write(parts, " AND ", empty: "TRUEPREDICATE", isPart: isPart)
    case .or(let parts): write(parts, " OR ", empty: "FALSEPREDICATE", isPart: isPart)
    case .not(let part):
      text += "NOT "
      items.append(.predicate(part, isPart: true))
    case .comparison(let comparison): write(comparison)
    case .invalid(let problem): text += "<\(problem.message)>"
    }
  }

  private mutating func write(
    _ parts: [QueryPredicate], _ separator: String, empty: String, isPart: Bool
  ) {
    guard !parts.isEmpty else {
      text += empty
      return
    }
    let hasParentheses = isPart && parts.count > 1
    if hasParentheses { items.append(.text(")")) }
    for (index, part) in parts.enumerated().reversed() {
      items.append(.predicate(part, isPart: isPart || parts.count > 1))
      if index > 0 { items.append(.text(separator)) }
    }
    if hasParentheses { items.append(.text("(")) }
  }

  private mutating func write(_ comparison: QueryComparison) {
    if let quantifier = comparison.quantifier { text += quantifier.rawValue + " " }
    items.append(.operand(comparison.right))
    items.append(.text(" \(comparison.operatorText) "))
    items.append(.operand(comparison.left))
  }

  // MARK: - Operands

  private mutating func write(_ operand: QueryOperand) {
    switch operand {
    case .path(let path): write(path)
    case .value(let value): write(value)
    case .list(let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        write(value)
      }
      text += "}"
    case .subquery(let subquery):
      text += "SUBQUERY("
      write(subquery.collection)
      text += ", $\(subquery.variable), "
      items.append(.text(").@count"))
      items.append(.predicate(subquery.predicate, isPart: false))
    }
  }

  private mutating func write(_ value: QueryValue) {
    if let literal = value.literal {
      text += literal
    } else if takesArguments {
      text += "%@"
      arguments.append(.value(value))
    } else {
      text += value.placeholderDescription
    }
  }

  private mutating func write(_ path: QueryPath) {
    var isFirst = true
    if let variable = path.variable {
      text += "$" + variable
      isFirst = false
    } else if path.parts.first?.isProperty != true {
      text += "SELF"
      isFirst = false
    }
    for part in path.parts {
      write(part, isFirst: isFirst)
      isFirst = false
    }
  }

  private mutating func write(_ part: QueryPart, isFirst: Bool) {
    let dot = isFirst ? "" : "."
    switch part {
    case .property(let name):
      text += dot
      guard takesArguments else {
        text += name
        return
      }
      if !FormatLexer.isName(name) {
        text += "%K"
        arguments.append(.value(.string(name)))
      } else {
        text += (FormatKeyword(Array(name.utf8)[...]) == nil ? "" : "#") + name
      }
    case .operation(let operation): text += dot + operation.rawValue
    case .keys: text += dot + "@allKeys"
    case .values: text += dot + "@allValues"
    case .key(let key): text += "[\(QueryValue.string(key).literal ?? "")]"
    case .index(let index): text += "[\(index)]"
    case .any: text += "[ANY]"
    case .invalid(let problem): text += "\(dot)<\(problem.message)>"
    }
  }
}

extension QueryPart {
  fileprivate var isProperty: Bool {
    if case .property = self { true } else { false }
  }
}

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
