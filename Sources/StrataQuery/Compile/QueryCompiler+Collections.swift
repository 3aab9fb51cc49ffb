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
      "\(name).key = \(parameter(.text(key.text))) AND \(leaf(value, comparison, negated: false))"
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

/// The tables from an object through its collections to a value, for a subselect.
///
/// Further links of an element are inner joins: an element with a nil link on the path has no
/// value.
struct ElementChain {
  /// The tables after `FROM`.
  private(set) var tables = ""
  /// The column of the first table that holds the owner.
  private(set) var ownerColumn = ""
  /// The identity of the owner, outside of the subselect.
  let owner: String
  /// The compared value; for an object, its identity.
  private(set) var value = SQLValue(sql: "NULL", type: .object, allowsNil: false)
  /// The alias of the current object, if its row is joined.
  private(set) var row: String?

  private var identity = ""
  private var queryClass: QueryClass?

  /// - Parameter elements: The class of the objects at the end, if their rows are needed in
  ///   addition to their identities.
  init(_ path: ResolvedPath, _ compiler: QueryCompiler, rowsOf elements: QueryClass? = nil) {
    guard path.leadsToElements else {
      (owner, ownerColumn, value) = ("1", "1", compiler.outerValue(path))
      takeNested(path.nested, compiler)
      return
    }
    let links = Array(path.steps.prefix(while: \.isLink))
    owner = compiler.scopes[path.depth].identity(after: links, compiler)
    for step in path.steps.dropFirst(links.count) { take(step, compiler) }
    take(path.target, path, compiler)
    takeNested(path.nested, compiler)
    guard elements != nil else { return }
    if row == nil, case .element = path.target {
      // The elements themselves are the objects.
      (identity, queryClass) = (value.sql, elements)
    }
    joinRow(compiler)
  }

  private mutating func begin(_ table: String, _ alias: String, owner column: String) {
    if tables.isEmpty {
      tables = "\(table) AS \(alias)"
      ownerColumn = "\(alias).\(column)"
    } else {
      tables += " JOIN \(table) AS \(alias) ON \(alias).\(column) = \(identity)"
    }
  }

  private mutating func take(_ step: ResolvedStep, _ compiler: QueryCompiler) {
    compiler.record(step.property)
    switch step {
    case .elements(let property, let target):
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "owner")
      (identity, row, queryClass) = ("\(alias).value", nil, target)
    case .owners(let property, let target, _) where property.property.collection != nil:
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "value")
      (identity, row, queryClass) = ("\(alias).owner", nil, target)
    case .owners(let property, let target, _):
      compiler.record(rowsOf: target)
      let alias = compiler.nextAlias("o")
      begin(target.table, alias, owner: property.column)
      (identity, row, queryClass) = ("\(alias).\(target.identity)", alias, target)
    case .link(let property, let target):
      let alias = joinRow(compiler)
      (identity, row, queryClass) = ("\(alias).\(property.column)", nil, target)
    }
  }

  private mutating func take(
    _ target: ResolvedTarget, _ path: ResolvedPath, _ compiler: QueryCompiler
  ) {
    value.type = path.type
    value.allowsNil = path.allowsNil
    value.className = path.className
    switch target {
    case .property(let property):
      compiler.record(property)
      let alias = joinRow(compiler)
      value.sql = "\(alias).\(property.column)"
      value.typeSQL = property.typeColumn.map { "\(alias).\($0)" }
      value.setSearch(property, of: "\(alias).\(queryClass?.identity ?? "_id")")
    case .object, .value:
      value.sql = identity
    case .element(let property), .keys(let property):
      compiler.record(property)
      let alias = compiler.nextAlias("c")
      begin(property.table, alias, owner: "owner")
      row = nil
      if case .keys = target {
        value.sql = "\(alias).key"
      } else {
        value.sql = "\(alias).value"
        value.typeSQL = property.type == .any ? "\(alias).value_type" : nil
      }
    case .mapValue(let property, let key):
      value = compiler.mapValue(property, key, of: identity)
    case .point(let type, let coordinates):
      let alias = joinRow(compiler)
      value = compiler.point(
        type, coordinates, "\(alias).\(type.column)",
        of: "\(alias).\(queryClass?.identity ?? "_id")")
    }
  }

  /// Follows the steps into a list or a dictionary of an `AnyRealmValue`.
  private mutating func takeNested(_ steps: [NestedStep], _ compiler: QueryCompiler) {
    guard steps.contains(.any) else {
      value = compiler.nested(value, steps)
      return
    }
    let all = compiler.allNested(value, steps)
    tables += tables.isEmpty ? all.table : " JOIN \(all.table)"
    value = all.value
  }

  /// Joins the row of the current object of the chain.
  @discardableResult
  private mutating func joinRow(_ compiler: QueryCompiler) -> String {
    if let row { return row }
    guard let queryClass else { return identity }
    let alias = compiler.nextAlias("e")
    tables +=
      " JOIN \(queryClass.table) AS \(alias) ON \(alias).\(queryClass.identity) = \(identity)"
    row = alias
    return alias
  }

  mutating func append(_ joins: String) { tables += joins }
}
