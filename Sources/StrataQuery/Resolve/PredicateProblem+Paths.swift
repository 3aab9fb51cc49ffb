import StrataSchema

/// Mistakes in paths. The first sentences are RealmSwift's.
extension PredicateProblem {
  private static func path(
    _ path: QueryPath, _ text: String, _ repair: String = ""
  ) -> PredicateProblem {
    invalidKeyPath(path, text + (repair.isEmpty ? "" : " \(repair)"))
  }

  static func unknownVariable(_ name: String) -> PredicateProblem {
    PredicateProblem(
      "Invalid variable '$\(name)': it is not the variable of a SUBQUERY around it. Pass constants "
        + "with '%@'.")
  }

  static func unknownProperty(
    _ path: QueryPath, _ name: String, of className: String, known: [String]
  ) -> PredicateProblem {
    let near = NearName.of(name, in: known)
    return .path(
      path, "Property '\(name)' not found in object of type '\(className)'.",
      (known.isEmpty ? "It has none." : "It has: \(known.joined(separator: ", ")).")
        + (near.map { " Did you mean '\($0)'?" } ?? ""))
  }

  static func missingClass(_ path: QueryPath, _ className: String) -> PredicateProblem {
    .path(
      path, "it leads to class '\(className)', which this realm doesn't have.",
      "Add it to 'objectTypes'.")
  }

  static func tooLong(_ path: QueryPath, _ longest: Int) -> PredicateProblem {
    let start = QueryPath(Array(path.parts.prefix(3)), variable: path.variable)
    return PredicateProblem(
      "Invalid keypath '\(start)…': it has \(path.parts.count) names, and \(longest) is the most. "
        + "Find the objects in the middle first, and ask for those with 'IN %@'.")
  }

  static func noLink(_ path: QueryPath, _ property: QueryProperty) -> PredicateProblem {
    .path(
      path,
      "Property '\(property.className).\(property.property.name)' is not a link or collection and "
        + "can only appear at the end of a keypath.")
  }

  static func valuesOnly(_ path: QueryPath, _ property: QueryProperty) -> PredicateProblem {
    .path(
      path,
      "\(property.property.typeName) property \(property.property.name) can only be followed by a "
        + "collection operation.",
      property.property.isMap
        ? "Use '@count', '@min', '@max', '@sum', '@avg', '@allKeys' or '@allValues', or a key: "
          + "\(property.property.name)['key']."
        : "Use '@count', '@min', '@max', '@sum' or '@avg'.")
  }

  static func noObject(_ path: QueryPath, _ type: PropertyType) -> PredicateProblem {
    .path(
      path, "a value of type '\(type.rawValue)' has no properties.", "Use 'SELF' for the value.")
  }

  static func behindSubscript(_ path: QueryPath) -> PredicateProblem {
    .path(
      path, "Cannot apply key path to Map subscripts.",
      "Ask for the property of any value, with '@allValues', or compare the value itself.")
  }

  static func noMap(_ path: QueryPath) -> PredicateProblem {
    .path(
      path, "only dictionaries and realm Any support subscript predicates.",
      "Subscript a 'Map' with one of its keys.")
  }

  static func mustFollowMap(_ path: QueryPath, _ operation: String) -> PredicateProblem {
    .path(path, "\(operation) must follow a dictionary property.")
  }

  static func twoOperations(_ path: QueryPath) -> PredicateProblem {
    .path(path, "at most one collection operation per keypath is supported.")
  }

  static func notOfCollection(_ path: QueryPath, _ operation: QueryAggregate) -> PredicateProblem {
    .path(path, "collection operation '\(operation.rawValue)' must be applied to a collection.")
  }

  static func mustEnd(_ path: QueryPath, _ operation: String) -> PredicateProblem {
    .path(path, "\(operation) must appear at the end of a keypath.")
  }

  static func mustEndOfValues(_ path: QueryPath, _ operation: QueryAggregate?) -> PredicateProblem {
    .path(
      path,
      "\(operation?.rawValue ?? "") on a collection of values must appear at the end of a keypath.")
  }

  static func atEndOfObjects(_ path: QueryPath, _ operation: QueryAggregate) -> PredicateProblem {
    .path(
      path,
      "\(operation.rawValue) on a collection of objects cannot appear at the end of a keypath.",
      "Name a numeric property of the objects after it.")
  }

  static func needsNumericProperty(
    _ path: QueryPath, _ operation: QueryAggregate
  ) -> PredicateProblem {
    .path(path, "\(operation.rawValue) must be followed by a numeric property.")
  }

  static func notNumeric(_ path: QueryPath, _ operation: QueryAggregate) -> PredicateProblem {
    .path(
      path, "\(operation.rawValue) can only be applied to a collection of numeric values.")
  }

  static let sumOfDates = PredicateProblem(
    "Cannot sum or average date properties. Use '@min' or '@max'.")
}
