import StrataSchema

/// Turns resolved conditions into SQL. Nothing is asked of the file: the same query always has the
/// same statement.
///
/// Two-valued logic in SQL's three: `NOT` is moved to the leaves, and a negated leaf is `(leaf) IS
/// NOT TRUE`. NULL counts as false in `WHERE`, so a leaf that is not negated may be NULL, and can
/// use an index.
final class QueryCompiler {
  private(set) var parameters: [StoredValue]
  private(set) var reads: [QueryRead] = []
  private var aliasCount = 0
  /// The outermost rows first, then those of the subqueries around the condition.
  var scopes: [QueryScope]
  /// The conditions of which all must be true.
  private(set) var conjuncts: [IndexedRanges.Conjunct] = []

  init(parameters: [StoredValue] = []) {
    self.parameters = parameters
    scopes = []
  }

  /// The surroundings of a condition.
  struct Context {
    /// Whether few rows are left when the condition is looked at.
    var isSelective: Bool
    /// Whether it is one of several of which one must be true.
    var isAlternative = false
    /// Whether it must be true for each row of the statement.
    var isConjunct = false
  }

  // MARK: Parameters and names

  /// The parameter of a value.
  func parameter(_ value: StoredValue) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  func nextAlias(_ prefix: String) -> String {
    aliasCount += 1
    return "\(prefix)\(aliasCount)"
  }

  func note(_ property: QueryProperty) { note(.property(property)) }

  func note(rowsOf queryClass: QueryClass) { note(.rows(className: queryClass.name)) }

  // A query reads few properties: looking through them is faster than hashing their names.
  private func note(_ read: QueryRead) {
    if !reads.contains(read) { reads.append(read) }
  }

  /// Runs a closure with the rows of a subquery as the innermost.
  func within<Result>(_ scope: QueryScope, _ body: () -> Result) -> Result {
    scopes.append(scope)
    defer { scopes.removeLast() }
    return body()
  }

  /// Runs a closure with other outermost rows.
  func withRows<Result>(_ scope: QueryScope, _ body: () -> Result) -> Result {
    let outer = scopes
    scopes = [scope]
    defer { scopes = outer }
    return body()
  }

  // MARK: Logic

  func compile(_ predicate: ResolvedPredicate, negated: Bool = false, _ context: Context) -> String
  {
    switch predicate {
    case .constant(let value): return value != negated ? "1" : "0"
    case .not(let part): return compile(part, negated: !negated, context)
    case .and(let parts): return join(parts, negated: negated, isAnd: !negated, context)
    case .or(let parts): return join(parts, negated: negated, isAnd: negated, context)
    case .comparison(let comparison):
      let sql = compile(comparison, negated: negated, context)
      if context.isConjunct {
        conjuncts.append(.init(predicate: predicate, isNegated: negated, sql: sql))
      }
      return sql
    }
  }

  private func join(
    _ parts: [ResolvedPredicate], negated: Bool, isAnd: Bool, _ context: Context
  ) -> String {
    var context = context
    if isAnd {
      context.isSelective =
        context.isSelective || (!negated && parts.contains(where: \.isSelective))
    } else {
      context.isAlternative = parts.count > 1
      if context.isConjunct {
        conjuncts.append(.init(predicate: .or(parts), isNegated: negated, sql: ""))
        context.isConjunct = false
      }
    }
    var compiled = parts.map { compile($0, negated: negated, context) }
    if compiled.isEmpty { return isAnd ? "1" : "0" }
    let weights = parts.map(\.weight)
    if let most = weights.max(), most > QueryDepth.mostInOrder,
      let deepest = weights.firstIndex(of: most)
    {
      compiled.swapAt(0, deepest)
    }
    return Self.join(compiled[...], isAnd ? " AND " : " OR ")
  }

  /// So many conditions are written in a row.
  static let longestRow = 64

  /// Conditions in a row; many as a tree of little depth, which SQLite limits.
  static func join(_ parts: ArraySlice<String>, _ separator: String) -> String {
    if parts.count == 1 { return parts[parts.startIndex] }
    guard parts.count > longestRow else { return "(\(parts.joined(separator: separator)))" }
    let middle = parts.startIndex + parts.count / 2
    return "(\(join(parts[..<middle], separator))\(separator)\(join(parts[middle...], separator)))"
  }

  static func negate(_ leaf: String) -> String { "((\(leaf)) IS NOT TRUE)" }
}

extension ResolvedPredicate {
  /// Whether few rows are left where this is true, and an index finds them.
  var isSelective: Bool {
    switch self {
    case .and(let parts): return parts.contains(where: \.isSelective)
    case .comparison(let comparison): return comparison.isSelective
    case .constant, .or, .not: return false
    }
  }
}

extension ResolvedComparison {
  fileprivate var isSelective: Bool {
    guard case .path(let path) = left, path.depth == 0, path.steps.isEmpty, options.isEmpty,
      right.isConstant
    else { return false }
    switch self.operator {
    case .equal, .in, .beginsWith: break
    default: return false
    }
    switch path.target {
    case .object: return true
    case .property(let property): return property.isSearchable
    case .element, .keys, .mapValue, .value, .point: return false
    }
  }
}

extension ResolvedOperand {
  var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .path, .aggregate, .count: false
    }
  }
}
