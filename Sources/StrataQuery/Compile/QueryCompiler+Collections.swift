import StrataSchema

extension QueryCompiler {
  /// Returns a comparison that is true if it is true for any of the elements on its paths.
  ///
  /// `IN (SELECT owner …)` begins with the elements. It is best if an equality finds few of them.
  /// `EXISTS` begins with the owner. It is best if few owners are left. The wrong choice is up to
  /// four orders of magnitude slower.
  func quantified(
    _ comparison: ResolvedComparison, negated: Bool, _ context: Context
  ) -> String {
    guard case .path(let path) = comparison.left, path.hasCollection else {
      return quantifiedRight(comparison, negated: negated)
    }
    let chain = ElementChain(path, self)
    if case .path(let other) = comparison.right, other.hasCollection {
      let second = ElementChain(other, self)
      let condition = leaf(chain.value, comparison, with: second.value)
      return exists([chain, second], condition, negated: negated)
    }
    let condition = leaf(chain.value, comparison, negated: comparison.isNegatedForElements)
    let isEquality =
      [.equal, .in, .text].contains(comparison.operator)
      && !comparison.isNegatedForElements && comparison.right.isConstant
    if isEquality, !context.isSelective { return membership(chain, condition, negated: negated) }
    return exists([chain], condition, negated: negated)
  }

  /// Returns a comparison of a value with the elements on the right side.
  private func quantifiedRight(_ comparison: ResolvedComparison, negated: Bool) -> String {
    guard case .path(let path) = comparison.right else { return "0" }
    let chain = ElementChain(path, self)
    let condition = leaf(value(comparison.left), comparison, with: chain.value)
    return exists([chain], condition, negated: negated)
  }

  private func leaf(
    _ left: SQLValue, _ comparison: ResolvedComparison, with right: SQLValue
  ) -> String {
    var negated = comparison.isNegatedForElements
    if comparison.operator == .notEqual { negated.toggle() }
    return leaf(left, comparison.operator, right, comparison.options, negated: negated)
  }

  func membership(_ chain: ElementChain, _ condition: String, negated: Bool) -> String {
    let sql =
      "\(chain.owner) IN (SELECT \(chain.ownerColumn) FROM \(chain.tables) WHERE \(condition))"
    return negated ? Self.negate(sql) : sql
  }

  /// Returns a condition for the objects in whose map a key has one of some values. Only for a map
  /// with an index, which finds them.
  func mapMembership(
    _ comparison: ResolvedComparison, negated: Bool, _ context: Context
  ) -> String? {
    guard !negated, !context.isSelective, !comparison.isNegatedForElements,
      comparison.operator == .equal || comparison.operator == .in, comparison.options.isEmpty,
      comparison.right.isConstant, !comparison.right.includesNil,
      case .path(let path) = comparison.left, path.nested.isEmpty,
      case .mapValue(let property, let key) = path.target,
      property.property.wantsIndex
    else { return nil }
    record(property)
    let owner = scopes[path.depth].identity(after: path.steps, self)
    let name = nextAlias("m")
    let value = SQLValue(
      sql: "\(name).value", typeSQL: property.type == .any ? "\(name).value_type" : nil,
      type: property.type, allowsNil: property.property.isNullable)
    let condition =
      "\(name).key = \(parameter(.text(key))) AND \(leaf(value, comparison, negated: false))"
    return "\(owner) IN (SELECT \(name).owner FROM \(property.table) AS \(name) WHERE \(condition))"
  }

  func exists(_ chains: [ElementChain], _ condition: String?, negated: Bool) -> String {
    let tables = chains.map(\.tables).joined(separator: " CROSS JOIN ")
    let owners = chains.map { "\($0.ownerColumn) = \($0.owner)" }
    let conditions = (owners + [condition].compactMap { $0 }).joined(separator: " AND ")
    return "\(negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(tables) WHERE \(conditions))"
  }

  // MARK: Whether there is an element at all

  /// Returns an existence condition for `@count > 0` and similar comparisons; nil for others.
  func existence(
    _ comparison: ResolvedComparison, negated: Bool, _ context: Context
  ) -> String? {
    guard let isThere = comparison.asksForExistence else { return nil }
    let negated = negated == isThere
    switch comparison.left {
    case .aggregate(let aggregate):
      return exists([ElementChain(aggregate.path, self)], nil, negated: negated)
    case .count(let path, let elements, let predicate):
      return subquery(path, elements, predicate, negated: negated, context)
    default: return nil
    }
  }

  /// Returns a condition that an element exists for which a condition is true.
  private func subquery(
    _ path: ResolvedPath, _ elements: QueryClass, _ predicate: ResolvedPredicate, negated: Bool,
    _ context: Context
  ) -> String? {
    let chain = ElementChain(path, self, rowsOf: elements)
    guard let row = chain.row else { return nil }
    let startsWithElements =
      !context.isSelective && predicate.hasEquality && !predicate.reaches(below: scopes.count)
    let scope = QueryScope(row, elements)
    let condition = within(scope) {
      compile(predicate, Context(isSelective: !startsWithElements))
    }
    var joined = chain
    joined.append(scope.joinText())
    return startsWithElements
      ? membership(joined, condition, negated: negated)
      : exists([joined], condition, negated: negated)
  }

  // MARK: One of several conditions

  /// Returns a condition on a linked object that is one of several alternatives. As a join, it
  /// would turn two index searches into a scan.
  func alternative(
    _ comparison: ResolvedComparison, negated: Bool, _ context: Context
  ) -> String? {
    guard context.isAlternative, !negated,
      comparison.operator == .equal || comparison.operator == .in,
      comparison.right.isConstant, !comparison.right.includesNil,
      case .path(let path) = comparison.left, !path.hasCollection, path.nested.isEmpty,
      1...ResolvedPath.maxSubselects ~= path.steps.count,
      path.depth == scopes.count - 1, case .property(let property) = path.target
    else { return nil }
    record(property)
    var condition = ""
    for (index, step) in path.steps.enumerated().reversed() {
      guard case .link(let link, let target) = step else { return nil }
      record(link)
      let alias = nextAlias("l")
      if condition.isEmpty {
        let value = SQLValue(
          sql: "\(alias).\(property.column)", typeSQL: property.typeColumn.map { "\(alias).\($0)" },
          type: property.type, allowsNil: property.property.isNullable)
        condition = leaf(value, comparison, negated: false)
      } else if case .link(let next, _) = path.steps[index + 1] {
        condition = "\(alias).\(next.column) IN (\(condition))"
      }
      condition =
        "SELECT \(alias).\(target.identity) FROM \(target.table) AS \(alias) WHERE \(condition)"
    }
    guard case .link(let first, _) = path.steps[0] else { return nil }
    let scope = scopes[path.depth]
    return "\(scope.alias).\(first.column) IN (\(condition))"
  }
}

extension ResolvedComparison {
  /// True if the comparison requires at least one element, false if it requires that there is no
  /// element; nil for other comparisons.
  fileprivate var asksForExistence: Bool? {
    switch left {
    case .aggregate(let aggregate) where aggregate.operation == .count: break
    case .count: break
    default: return nil
    }
    guard case .constant(.value(.integer(let number), _)) = right else { return nil }
    switch (self.operator, number) {
    case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): return true
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): return false
    default: return nil
    }
  }
}

extension ResolvedOperand {
  /// Whether nil is among the constants.
  fileprivate var includesNil: Bool {
    switch self {
    case .constant(let constant): constant == .null
    case .list(let list): list.contains(.null)
    case .path, .aggregate, .count: false
    }
  }
}

extension ResolvedPredicate {
  /// Whether this can be true only if an equality is true.
  fileprivate var hasEquality: Bool {
    switch self {
    case .and(let parts): return parts.contains(where: \.hasEquality)
    case .comparison(let comparison):
      return (comparison.operator == .equal || comparison.operator == .in)
        && comparison.right.isConstant && !comparison.isNegatedForElements
    case .constant, .or, .not: return false
    }
  }

  /// Whether this refers to an object outside of the subquery at a depth.
  fileprivate func reaches(below depth: Int) -> Bool {
    switch self {
    case .constant: false
    case .not(let part): part.reaches(below: depth)
    case .and(let parts), .or(let parts): parts.contains { $0.reaches(below: depth) }
    case .comparison(let comparison):
      comparison.left.reaches(below: depth) || comparison.right.reaches(below: depth)
    }
  }
}

extension ResolvedOperand {
  fileprivate func reaches(below depth: Int) -> Bool {
    switch self {
    case .path(let path): path.depth < depth
    case .aggregate(let aggregate): aggregate.path.depth < depth
    case .count(let path, _, let predicate): path.depth < depth || predicate.reaches(below: depth)
    case .constant, .list: false
    }
  }
}
