import StrataSchema

/// Mistakes in comparisons. The first sentences are RealmSwift's.
extension PredicateProblem {
  static func tooDeep(_ deepest: Int) -> PredicateProblem {
    PredicateProblem(
      "The condition is nested deeper than \(deepest) levels. Join conditions with one 'AND' or "
        + "'OR', or use 'IN'. Links, collections and subqueries count as several levels.")
  }

  static let tooManyLevels = PredicateProblem(
    "The query has too many limits and distinct values that follow each other: SQLite has room for "
      + "eight limits, or for four times distinct values, and less with deep conditions. Read the "
      + "results so far into an array, and go on with 'filter(\"SELF IN %@\", array)'.")

  static let noPath = PredicateProblem(
    "Predicate expressions must compare a keypath and another keypath or a constant value. Name a "
      + "property on one side.")

  static func pathMustBeLeft(_ operator: QueryOperator) -> PredicateProblem {
    PredicateProblem(
      "Operator '\(`operator`.rawValue)' requires a keypath on the left side. Write the property "
        + "first, and the value after the operator.")
  }

  static let orderIgnoringCase = PredicateProblem(
    "Lexicographical comparisons must be case-sensitive. Leave out '[c]' and '[d]'.")

  static let likeIgnoringDiacritics = PredicateProblem(
    "Operator 'LIKE' not supported with diacritic-insensitive modifier. Use 'LIKE[c]', or "
      + "'CONTAINS[cd]'.")

  static let textWithOptions = PredicateProblem(
    "Operator 'TEXT' takes no '[c]' and '[d]': it regards neither case nor accents. Leave them out."
  )

  static let textNeedsWords = PredicateProblem(
    "Operator 'TEXT' needs a text with words, such as 'swift -java comp*'. Pass a String.")

  static func noTextIndex(_ operand: QueryOperand, _ path: ResolvedPath) -> PredicateProblem {
    guard case .property(let property) = path.target else {
      return PredicateProblem(
        "'\(operand.pathText)' has no full-text index: only a property of a class can have one. Use "
          + "'CONTAINS'.", path: operand.pathText)
    }
    return PredicateProblem(
      "'\(property.className).\(property.property.name)' has no full-text index: declare it "
        + "'@Persisted(fullText: true)'.", path: operand.pathText)
  }

  static func operatorNotSupported(_ operator: String, _ type: PropertyType) -> PredicateProblem {
    PredicateProblem("Operator '\(`operator`)' not supported for type '\(type.rawValue)'.")
  }

  static func typeMismatch(_ first: String, _ second: String) -> PredicateProblem {
    PredicateProblem("Property type mismatch between \(first) and \(second).")
  }

  // MARK: Values

  static func misfit(
    _ value: QueryValue, _ operand: QueryOperand, _ path: ResolvedPath
  ) -> PredicateProblem {
    let rest =
      "of type '\(value.typeName)' to property '\(operand.pathText)' of type '\(path.typeName)'."
    return PredicateProblem(
      "Cannot compare value '\(value.text)' \(rest)", logged: "Cannot compare a value \(rest)",
      path: operand.pathText, value: value.text)
  }

  static func nilOfRequired(_ operand: QueryOperand, _ path: ResolvedPath) -> PredicateProblem {
    PredicateProblem(
      "Cannot compare value 'nil' to property '\(operand.pathText)' of type '\(path.typeName)': it "
        + "is never nil.", path: operand.pathText)
  }

  static let otherFile = PredicateProblem(
    "Object must be from the Realm being queried. Look it up in this realm, by its primary key.")

  static let keysNeedText = PredicateProblem("@allKeys can only be compared with a string value.")

  // MARK: Lists

  static let inNeedsList = PredicateProblem(
    "IN clause requires an array of items. Pass a sequence, or use 'CONTAINS' to search a text.")

  static let inNeedsCollection = PredicateProblem(
    "Predicate with IN operator must compare a KeyPath with an aggregate. Pass a sequence, or use "
      + "'==' for two properties.")

  static func listWithOtherOperator(_ operator: QueryOperator) -> PredicateProblem {
    PredicateProblem(
      "Operator '\(`operator`.rawValue)' can't compare with several values. Use 'IN', or 'BETWEEN' "
        + "for a range.")
  }

  static let betweenNeedsList = PredicateProblem(
    "object must be of type NSArray for BETWEEN operations. Pass the smallest and the greatest "
      + "value: 'BETWEEN {1, 5}'.")

  static func betweenNeedsTwo(_ count: Int) -> PredicateProblem {
    PredicateProblem(
      "NSArray object must contain exactly two objects for BETWEEN operations. It has \(count).")
  }

  static func betweenType(_ type: PropertyType) -> PredicateProblem {
    PredicateProblem(
      "NSArray objects must be of type \(type.rawValue) for BETWEEN operations.")
  }

  static let betweenNeedsConstants = PredicateProblem(
    "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values. For "
      + "two properties use '>=' and '<='.")

  // MARK: Collections

  static func needsQuantifier(_ comparison: QueryComparison) -> PredicateProblem {
    var count = ", or '@count' after it"
    if case .path(let path) = comparison.left, path.parts.last == .keys { count = "" }
    return PredicateProblem(
      "Key paths that include a collection property must use aggregate operations. Write 'ANY', "
        + "'ALL' or 'NONE' before '\(comparison.left.pathText)'\(count).",
      path: comparison.left.pathText)
  }

  static func quantifierWithoutCollection(_ comparison: QueryComparison) -> PredicateProblem {
    let word = comparison.quantifier?.rawValue ?? ""
    return PredicateProblem(
      "Aggregate operations can only be used on key paths that include an collection property. "
        + "Leave out '\(word)' before '\(comparison.left.pathText)'.",
      path: comparison.left.pathText)
  }

  static let twoAggregates = PredicateProblem(
    "Key paths including aggregate operations cannot be compared with other aggregate operations. "
      + "Compare one of them with a constant or a property.")

  static let countNeedsNumber = PredicateProblem(
    "@count can only be compared with a numeric value.")

  static func aggregateMisfit(
    _ aggregate: ResolvedAggregate, _ value: QueryValue
  ) -> PredicateProblem {
    let start =
      "\(aggregate.operation.rawValue) on a property of type \(aggregate.path.type.rawValue) "
      + "cannot be compared with"
    return PredicateProblem("\(start) '\(value.text)'.", logged: "\(start) this value.")
  }

  static let subqueryWithoutNumber = PredicateProblem(
    "SUBQUERY is only supported when immediately followed by .@count that is compared with a "
      + "constant number.")

  static func subqueryOfNoObjects(_ path: QueryPath) -> PredicateProblem {
    PredicateProblem(
      "SUBQUERY must be of a collection of objects: '\(path)' is none. For values, use 'ANY'.")
  }
}

extension QueryOperand {
  /// The path of the operand, for messages.
  var pathText: String {
    switch self {
    case .path(let path): path.description
    case .subquery(let subquery): "SUBQUERY(\(subquery.collection), …)"
    case .value(let value): value.text
    case .list: "{…}"
    }
  }
}

extension QueryValue {
  /// The value, for messages.
  var text: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let text), .string(let text), .date(let text), .uuid(let text),
      .objectId(let text):
      text
    case .data(let bytes): "\(bytes.count) bytes"
    case .object(let object): object.className
    case .members(let members): members.className
    case .nested(let text): text
    case .shape(let shape): shape.description
    case .unsupported(let name): name
    }
  }
}

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
    .path(
      path, "Property '\(name)' not found in object of type '\(className)'.",
      NearName.hint(name, known))
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
