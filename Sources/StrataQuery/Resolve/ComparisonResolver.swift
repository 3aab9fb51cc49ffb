import StrataSchema

/// The check of one comparison: whether its operator and its constants fit the left side.
struct ComparisonResolver {
  /// An operand whose names are resolved.
  enum Operand {
    case path(ResolvedPath)
    case aggregate(ResolvedAggregate)
    case count(ResolvedPath, of: QueryClass, ResolvedPredicate)
    case value(QueryValue)
    case list([QueryValue])
  }

  let comparison: QueryComparison
  let left: Operand
  let right: Operand
  let file: ObjectIdentifier?

  func resolve() throws(PredicateProblem) -> ResolvedPredicate {
    switch left {
    case .path(let path):
      try checkQuantifier(path)
      return quantified(.path(path), try against(path))
    case .aggregate(let aggregate):
      try checkComputed()
      return quantified(.aggregate(aggregate), try against(aggregate))
    case .count(let path, let elements, let predicate):
      try checkComputed()
      return quantified(.count(path, of: elements, where: predicate), try countConstant())
    case .value, .list: throw .noPath
    }
  }

  private func quantified(_ left: ResolvedOperand, _ right: ResolvedOperand) -> ResolvedPredicate {
    let predicate = ResolvedPredicate.comparison(
      ResolvedComparison(
        left: left, operator: comparison.operator, right: right, options: comparison.options,
        isNegatedForElements: comparison.quantifier == .all))
    switch comparison.quantifier {
    case nil, .any: return predicate
    case .no, .all: return .not(predicate)
    }
  }

  // MARK: Quantifiers

  private func checkQuantifier(_ path: ResolvedPath) throws(PredicateProblem) {
    var hasCollection = path.hasCollection
    if case .path(let other) = right { hasCollection = hasCollection || other.hasCollection }
    guard comparison.quantifier != nil else {
      if hasCollection { throw .needsQuantifier(comparison) }
      return
    }
    guard hasCollection else { throw .quantifierWithoutCollection(comparison) }
  }

  /// Checks the quantifier of an aggregate, which is a single value. `ANY` has no effect then, as
  /// in Realm, and `NONE` is `NOT ANY`.
  private func checkComputed() throws(PredicateProblem) {
    if comparison.quantifier == .all { throw .quantifierWithoutCollection(comparison) }
    if case .path(let other) = right, other.hasCollection { throw .needsQuantifier(comparison) }
  }

  // MARK: Paths

  private func against(_ path: ResolvedPath) throws(PredicateProblem) -> ResolvedOperand {
    try checkOperator(path)
    if comparison.operator == .text { return try words(path) }
    if comparison.operator == .geoWithin { return try shape(path) }
    switch right {
    case .path(let other): return try against(path, other)
    case .aggregate(let aggregate):
      guard aggregate.type.isNumeric == path.type.isNumeric || path.type == .any,
        aggregate.type.isNumeric || aggregate.type == path.type || path.type == .any
      else { throw .typeMismatch(path.typeName, aggregate.type.rawValue) }
      return .aggregate(aggregate)
    case .count: throw .subqueryWithoutNumber
    case .value(let value):
      try checkCount(nil)
      return .constant(try fit(value, path))
    case .list(let values):
      try checkCount(values.count)
      return .list(try fit(values, path))
    }
  }

  private func against(
    _ path: ResolvedPath, _ other: ResolvedPath
  ) throws(PredicateProblem) -> ResolvedOperand {
    try checkTakesProperty()
    let matches: Bool
    switch (path.type, other.type) {
    case (.object, .object): matches = path.className == other.className
    case (.any, _), (_, .any): matches = !comparison.operator.isOfText
    case (let one, let another): matches = one == another || (one.isNumeric && another.isNumeric)
    }
    guard matches else { throw .typeMismatch(path.typeName, other.typeName) }
    return .path(other)
  }

  /// Returns the text with the words of a full-text search.
  private func words(_ path: ResolvedPath) throws(PredicateProblem) -> ResolvedOperand {
    guard case .property(let property) = path.target, property.textTable != nil else {
      throw .noTextIndex(comparison.left, path)
    }
    guard case .value(.string(let text)) = right else { throw .textNeedsWords }
    _ = try TextWords(text)
    return .constant(.value(.text(text), .string))
  }

  /// Returns the text of the area for a point.
  private func shape(_ path: ResolvedPath) throws(PredicateProblem) -> ResolvedOperand {
    guard case .point = path.target, case .value(.shape(let shape)) = right else {
      throw .geoWithinNeedsShape
    }
    return .constant(.value(.text(shape.text), .string))
  }

  private func checkOperator(_ path: ResolvedPath) throws(PredicateProblem) {
    let isAllowed =
      switch comparison.operator {
      case .equal, .notEqual, .in: true
      case .less, .lessOrEqual, .greater, .greaterOrEqual: path.type.isOrdered
      case .between:
        path.type.isNumeric || path.type == .date || path.type == .any
      case .contains, .beginsWith, .endsWith, .like:
        path.type == .string || path.type == .data || path.type == .any
      case .text: path.type == .string
      // Its operand was checked.
      case .geoWithin: true
      }
    guard isAllowed else { throw .operatorNotSupported(comparison.operator.rawValue, path.type) }
    if !comparison.options.isEmpty {
      guard [.string, .data, .any].contains(path.type) else {
        throw .operatorNotSupported(comparison.operatorText, path.type)
      }
    }
  }

  private func checkTakesProperty() throws(PredicateProblem) {
    if comparison.operator == .in { throw .inNeedsCollection }
    if comparison.operator == .between { throw .betweenNeedsConstants }
  }

  // MARK: Constants

  /// Checks that the operator takes a list of `count` constants, or for nil a single constant.
  private func checkCount(_ count: Int?) throws(PredicateProblem) {
    switch (comparison.operator, count) {
    case (.in, nil): throw .inNeedsList
    case (.between, nil): throw .betweenNeedsList
    case (.between, let count?) where count != 2: throw .betweenNeedsTwo(count)
    case (.in, _), (.between, _), (_, nil): break
    default: throw .listWithOtherOperator(comparison.operator)
    }
  }

  private func fit(
    _ values: [QueryValue], _ path: ResolvedPath
  ) throws(PredicateProblem) -> [ResolvedConstant] {
    var constants: [ResolvedConstant] = []
    constants.reserveCapacity(values.count)
    for value in values {
      do throws(PredicateProblem) {
        constants.append(try fit(value, path))
      } catch {
        throw comparison.operator == .between ? .betweenType(path.type) : error
      }
    }
    return constants
  }

  private func fit(
    _ value: QueryValue, _ path: ResolvedPath
  ) throws(PredicateProblem) -> ResolvedConstant {
    if value == .null {
      guard path.allowsNil else { throw .nilOfRequired(comparison.left, path) }
      return .null
    }
    if case .keys = path.target {
      guard case .string = value else { throw .keysNeedText }
    }
    guard let constant = ValueFit.fit(value, path.type) else {
      throw .misfit(value, comparison.left, path)
    }
    if case .object(let object) = constant { try check(object, path) }
    if path.type == .any { try checkOperator(constant) }
    return constant
  }

  private func check(_ object: QueryObject, _ path: ResolvedPath) throws(PredicateProblem) {
    if let className = path.className, object.className != className {
      throw .misfit(.object(object), comparison.left, path)
    }
    if let file, let other = object.file, file != other { throw .otherFile }
  }

  /// Checks the operator of a comparison with an `AnyRealmValue`, which depends on the constant's
  /// type.
  private func checkOperator(_ constant: ResolvedConstant) throws(PredicateProblem) {
    guard let type = constant.type else { return }
    let isAllowed =
      switch comparison.operator {
      case .equal, .notEqual, .in: true
      // A constant of any type is a list or a dictionary.
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: type.isOrdered && type != .any
      case .contains, .beginsWith, .endsWith, .text: type == .string || type == .data
      case .like: type == .string
      case .geoWithin: false
      }
    guard isAllowed else { throw .operatorNotSupported(comparison.operator.rawValue, type) }
  }

  // MARK: Aggregates

  private func against(
    _ aggregate: ResolvedAggregate
  ) throws(PredicateProblem) -> ResolvedOperand {
    let comparison = comparison
    switch comparison.operator {
    case .contains, .beginsWith, .endsWith, .like, .text, .geoWithin:
      throw .operatorNotSupported(comparison.operator.rawValue, aggregate.type)
    default: break
    }
    if !comparison.options.isEmpty {
      throw .operatorNotSupported(comparison.operatorText, aggregate.type)
    }
    switch right {
    case .aggregate, .count: throw .twoAggregates
    case .path(let path):
      try checkTakesProperty()
      guard path.type == aggregate.type || (path.type.isNumeric && aggregate.type.isNumeric) else {
        throw .typeMismatch(aggregate.type.rawValue, path.typeName)
      }
      return .path(path)
    case .value(let value):
      try checkCount(nil)
      return .constant(try constant(value, aggregate))
    case .list(let values):
      try checkCount(values.count)
      var constants: [ResolvedConstant] = []
      for value in values { constants.append(try constant(value, aggregate)) }
      return .list(constants)
    }
  }

  private func constant(
    _ value: QueryValue, _ aggregate: ResolvedAggregate
  ) throws(PredicateProblem) -> ResolvedConstant {
    if value == .null, aggregate.allowsNil { return .null }
    let problem: PredicateProblem =
      aggregate.operation == .count
      ? .countNeedsNumber
      : .aggregateMisfit(aggregate, value)
    guard let own = value.type, own == aggregate.type || (own.isNumeric && aggregate.type.isNumeric)
    else { throw problem }
    // Numbers of all types are compared exactly with each other.
    let type = aggregate.type == .decimal128 ? .decimal128 : own
    guard let constant = ValueFit.fit(value, type) else { throw problem }
    return constant
  }

  private func countConstant() throws(PredicateProblem) -> ResolvedOperand {
    guard case .value(let value) = right, let type = value.type, type.isNumeric,
      comparison.operator.isComparison, let constant = ValueFit.own(value)
    else { throw .subqueryWithoutNumber }
    return .constant(constant)
  }
}
