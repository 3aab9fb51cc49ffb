extension FormatLexer {
  /// Returns the problem of a text that is no condition.
  ///
  /// - Parameters:
  ///   - sentence: The mistake, without a full stop.
  ///   - offset: The byte of the mistake.
  ///   - repair: The repair, as complete sentences.
  func problem(_ sentence: String, at offset: Int, repair: String? = nil) -> PredicateProblem {
    let detail = "\(sentence) (column \(column(of: offset)))." + (repair.map { " " + $0 } ?? "")
    return notParsed(detail, at: offset)
  }

  /// Returns the problem of a text that is no condition, for a detail without a place.
  func notParsed(_ detail: String, at offset: Int = 0) -> PredicateProblem {
    PredicateProblem(
      "Unable to parse the format string \"\(excerpt(around: offset))\". \(detail)",
      logged: "Unable to parse the format string. \(detail)", column: column(of: offset))
  }

  /// Returns the column of a byte as in editors: the first character is in column 1.
  func column(of offset: Int) -> Int {
    format[..<index(of: offset)].count + 1
  }

  private func index(of offset: Int) -> String.Index {
    format.utf8.index(format.startIndex, offsetBy: min(offset, bytes.count))
  }

  /// Returns the text. For a long text, returns the part near an offset.
  private func excerpt(around offset: Int) -> String {
    let most = 300
    guard bytes.count > most else { return format }
    let place = index(of: offset)
    let start = format.index(place, offsetBy: -100, limitedBy: format.startIndex)
    let end = format.index(place, offsetBy: 100, limitedBy: format.endIndex)
    return (start == nil ? "" : "…")
      + format[(start ?? format.startIndex)..<(end ?? format.endIndex)]
      + (end == nil ? "" : "…")
  }
}

extension PredicateProblem {
  /// Returns the column of a problem, for messages about a text.
  private static func place(_ column: Int?) -> String {
    column.map { " (column \($0))" } ?? ""
  }

  static func invalidKeyPath(_ path: QueryPath, _ reason: String) -> PredicateProblem {
    PredicateProblem(
      "Invalid keypath '\(path)': \(reason)",
      logged: "Invalid keypath '\(path.loggable)': \(reason)", path: "\(path)")
  }

  static func unsupportedOperation(_ name: String, in path: QueryPath) -> PredicateProblem {
    let known = (QueryAggregate.allCases.map(\.rawValue) + ["@allKeys", "@allValues"])
      .joined(separator: ", ")
    let meant =
      switch name {
      case "@average", "@mean": " Did you mean '@avg'?"
      case "@size", "@length": " Did you mean '@count'?"
      case "@keys": " Did you mean '@allKeys'?"
      case "@values": " Did you mean '@allValues'?"
      case "@maximum": " Did you mean '@max'?"
      case "@minimum": " Did you mean '@min'?"
      case "@links": " Declare a property of type 'LinkingObjects' for the objects that link."
      default: ""
      }
    return invalidKeyPath(
      path, "Unsupported collection operation '\(name)'. There are \(known).\(meant)")
  }

  package static func unsupportedSubscript(_ key: String, of path: QueryPath) -> PredicateProblem {
    PredicateProblem(
      "Invalid keypath '\(path)[\(key)]': only dictionaries and realm Any support "
        + "subscript predicates. The key of a dictionary is a text, such as \(path)['key'].",
      logged:
        "Invalid keypath '\(path.loggable)': only dictionaries and realm Any support subscript "
        + "predicates. The key of a dictionary is a text.")
  }

  package static func unsupportedFunction(
    _ name: String, column: Int? = nil
  ) -> PredicateProblem {
    PredicateProblem(
      "The '\(name)' function is not supported. Compute the value in Swift, and give it as the "
        + "argument of '%@'\(place(column)).", column: column)
  }

  package static func listMember(column: Int? = nil) -> PredicateProblem {
    PredicateProblem(
      "Expressions within predicate aggregates must be constant values\(place(column)). "
        + "Compare with each of them, and join the conditions with OR.", column: column)
  }

  package static func matches(column: Int? = nil) -> PredicateProblem {
    PredicateProblem(
      "Operator 'MATCHES' is not supported\(place(column)). Use 'LIKE', where '?' is one "
        + "character and '*' any number of them, or 'filter { … }' with a regular expression, "
        + "which reads all objects.", column: column)
  }

  package static let subqueryWithoutCount = PredicateProblem(
    "SUBQUERY is only supported when immediately followed by .@count that is compared with a "
      + "constant number. Write SUBQUERY(dogs, $dog, $dog.age > 3).@count > 0.")
}
