/// A printer of conditions as format strings.
///
/// It keeps the remaining parts on its own stack, so that a deep tree can't overflow the thread's
/// stack.
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
    items.append(.text(" \(comparison.operator.rawValue)\(comparison.options.text) "))
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

extension QueryOptions {
  fileprivate var text: String {
    guard !isEmpty else { return "" }
    return "[" + (contains(.caseInsensitive) ? "c" : "")
      + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}
