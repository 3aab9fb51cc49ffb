import StrataSchema

/// The compiler of resolved conditions into SQL. The compiler doesn't read the file, so the same
/// query always has the same statement.
///
/// Two-valued logic is expressed in SQL's three-valued logic: `NOT` is moved to the leaves, and a
/// negated leaf is `(leaf) IS NOT TRUE`. NULL counts as false in `WHERE`, so a leaf that is not
/// negated may be NULL, and can use an index.
final class QueryCompiler {
  private(set) var parameters: [StoredValue]
  private(set) var reads: [QueryRead] = []
  private var aliasCount = 0
  /// The outermost rows first, then the rows of the enclosing subqueries.
  var scopes: [QueryScope]
  /// The conditions that must all be true.
  private(set) var conjuncts: [IndexedRanges.Conjunct] = []

  init(parameters: [StoredValue] = []) {
    self.parameters = parameters
    scopes = []
  }

  /// The surroundings of a condition.
  struct Context {
    /// Whether few rows are left when the condition is evaluated.
    var isSelective: Bool
    /// Whether the condition is one of several alternatives.
    var isAlternative = false
    /// Whether the condition must be true for each row of the statement.
    var isConjunct = false
  }

  // MARK: Parameters and names

  func parameter(_ value: StoredValue) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  func nextAlias(_ prefix: String) -> String {
    aliasCount += 1
    return "\(prefix)\(aliasCount)"
  }

  func record(_ property: QueryProperty) { record(.property(property)) }

  func record(rowsOf queryClass: QueryClass) { record(.rows(className: queryClass.name)) }

  // A query reads few properties, so a linear search is faster than hashing their names.
  private func record(_ read: QueryRead) {
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
    if let most = weights.max(), most > QueryDepth.maxInOrder,
      let deepest = weights.firstIndex(of: most)
    {
      compiled.swapAt(0, deepest)
    }
    return Self.join(compiled[...], isAnd ? " AND " : " OR ")
  }

  /// The maximum number of conditions in one chain.
  static let maxChain = 64

  /// Joins conditions to one chain. Too many conditions form a tree of chains, because SQLite
  /// limits the depth of an expression.
  static func join(_ parts: ArraySlice<String>, _ separator: String) -> String {
    if parts.count == 1 { return parts[parts.startIndex] }
    guard parts.count > maxChain else { return "(\(parts.joined(separator: separator)))" }
    let middle = parts.startIndex + parts.count / 2
    return "(\(join(parts[..<middle], separator))\(separator)\(join(parts[middle...], separator)))"
  }

  static func negate(_ leaf: String) -> String { "((\(leaf)) IS NOT TRUE)" }
}

extension ResolvedPredicate {
  /// Whether only few rows satisfy the condition, and an index finds them.
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

/// Lists and dictionaries inside an `AnyRealmValue`. Functions of the library parse their text, and
/// return a value and its type, like the two columns.
extension QueryCompiler {
  /// Returns the value at the end of some steps, none of which leads to several values.
  func nested(_ value: SQLValue, _ steps: [NestedStep]) -> SQLValue {
    guard !steps.isEmpty else { return value }
    return nested(value.sql, value.typeText, parameter(.text(NestedPath(steps).text)))
  }

  private func nested(_ sql: String, _ typeSQL: String, _ path: String) -> SQLValue {
    SQLValue(
      sql: "strata_nested_value(\(sql), \(typeSQL), \(path))",
      typeSQL: "strata_nested_type(\(sql), \(typeSQL), \(path))", type: .any, allowsNil: true,
      isNested: true)
  }

  /// Returns all values at the end of some steps, as a table.
  func allNested(_ value: SQLValue, _ steps: [NestedStep]) -> (table: String, value: SQLValue) {
    let alias = nextAlias("n")
    let path = parameter(.text(NestedPath(steps).text))
    let table = "json_each(strata_nested_all(\(value.sql), \(value.typeText), \(path))) AS \(alias)"
    return (table, nested("\(alias).value", "'json'", "'[]'"))
  }
}

extension QueryCompiler {
  /// Returns the point that an embedded object represents. Both coordinates are NULL if the object
  /// isn't a point.
  func point(
    _ type: QueryProperty, _ coordinates: QueryProperty, _ typeSQL: String, of identity: String
  ) -> SQLValue {
    record(type)
    record(coordinates)
    let list = nextAlias("p")
    func coordinate(_ index: Int) -> String {
      "(SELECT \(list).value FROM \(coordinates.table) AS \(list) WHERE \(list).owner = \(identity) "
        + "AND lower(\(typeSQL)) = 'point' ORDER BY \(list).position LIMIT 1 OFFSET \(index))"
    }
    return SQLValue(
      sql: coordinate(0), type: .double, allowsNil: true, latitude: coordinate(1))
  }

  /// Returns a condition that a point is in an area. Two comparisons with a bounding box leave few
  /// points for the function.
  func within(_ point: SQLValue, _ constant: ResolvedConstant) -> String {
    guard let latitude = point.latitude, case .value(.text(let text), _) = constant,
      let shape = GeoShape(text: text)
    else { return "0" }
    let bounds = GeoBounds(shape)
    let ranges =
      [(latitude, bounds.latitudes)] + (bounds.longitudes.map { [(point.sql, $0)] } ?? [])
    let conditions = ranges.map { value, range in
      "\(value) BETWEEN \(parameter(.real(range.lowerBound))) AND "
        + parameter(.real(range.upperBound))
    }
    let exactly = "strata_within(\(point.sql), \(latitude), \(parameter(.text(text))))"
    return "(\((conditions + [exactly]).joined(separator: " AND ")))"
  }
}

extension QueryCompiler {
  /// Returns an aggregate of all elements of a collection, for each object of the query.
  func value(_ aggregate: ResolvedAggregate) -> SQLValue {
    let chain = ElementChain(aggregate.path, self)
    let expression = Self.function(aggregate.operation, chain.value)
    return SQLValue(
      sql:
        "(SELECT \(expression) FROM \(chain.tables) WHERE \(chain.ownerColumn) = \(chain.owner))",
      type: aggregate.type, allowsNil: aggregate.allowsNil)
  }

  /// Returns the number of elements for which a condition is true.
  func count(
    _ path: ResolvedPath, _ elements: QueryClass, where predicate: ResolvedPredicate
  ) -> SQLValue {
    let chain = ElementChain(path, self, rowsOf: elements)
    guard let row = chain.row else {
      return SQLValue(sql: "0", type: .int, allowsNil: false)
    }
    let scope = QueryScope(row, elements)
    let condition = within(scope) { compile(predicate, Context(isSelective: true)) }
    return SQLValue(
      sql: """
        (SELECT count(*) FROM \(chain.tables)\(scope.joinText()) \
        WHERE \(chain.ownerColumn) = \(chain.owner) AND \(condition))
        """, type: .int, allowsNil: false)
  }

  /// Returns a call of an aggregate function.
  ///
  /// SQLite's `sum` fails on an integer overflow, where Realm's sum wraps around. SQLite's
  /// functions don't support decimals.
  static func function(_ operation: QueryAggregate, _ value: SQLValue) -> String {
    switch operation {
    case .count: "count(*)"
    case .sum where value.isPlain:
      "\(value.type == .int ? "strata_sum" : "total")(\(value.sql))"
    case .average where value.isPlain: "avg(\(value.sql))"
    case .min where value.isPlain: "min(\(value.sql))"
    case .max where value.isPlain: "max(\(value.sql))"
    case .sum: "strata_decimal_sum(\(value.sql), \(value.typeText))"
    case .average: "strata_decimal_average(\(value.sql), \(value.typeText))"
    case .min: "strata_decimal_min(\(value.sql), \(value.typeText))"
    case .max: "strata_decimal_max(\(value.sql), \(value.typeText))"
    }
  }
}

/// The rows of one table in a statement, and the tables that are joined by single links.
///
/// A path of single links is a `LEFT JOIN`, shared by all its uses: a nil link results in NULL.
final class QueryScope {
  let alias: String
  let queryClass: QueryClass
  /// The joined tables, by the links that lead to them.
  private var aliases: [(links: [QueryProperty], name: String)] = []
  private(set) var joins: [String] = []
  /// SQLite joins at most 64 tables. In a subquery, these include the tables of the collection's
  /// path.
  private static let maxJoins = 30

  init(_ alias: String, _ queryClass: QueryClass) {
    self.alias = alias
    self.queryClass = queryClass
  }

  var identity: String { "\(alias).\(queryClass.identity)" }

  /// Returns some of the joins as text, to be appended to the other tables.
  func joinText(from first: Int = 0, upTo end: Int = .max) -> String {
    joins.prefix(end).dropFirst(first).joined()
  }

  /// Returns a column of the object at the end of some links.
  func column(
    _ column: String, after links: [ResolvedStep], _ compiler: QueryCompiler
  ) -> String {
    guard let last = links.last, case .link(let property, let target) = last else {
      return "\(alias).\(column)"
    }
    let path = links.map(\.property)
    if let known = aliases.first(where: { $0.links == path }) { return "\(known.name).\(column)" }
    let known = aliases.map(\.links).filter(path.starts).map(\.count).max() ?? 0
    guard joins.count + path.count - known <= Self.maxJoins else {
      return subselect(column, after: links, known: known, compiler)
    }
    compiler.record(property)
    let link = self.column(property.column, after: Array(links.dropLast()), compiler)
    let joined = compiler.nextAlias("j")
    aliases.append((path, joined))
    joins.append(
      " LEFT JOIN \(target.table) AS \(joined) ON \(joined).\(target.identity) = \(link)")
    return "\(joined).\(column)"
  }

  /// Returns the column without a join of this scope, for a statement that has many joins.
  ///
  /// - Parameter known: The number of links that are joined already.
  private func subselect(
    _ column: String, after links: [ResolvedStep], known: Int, _ compiler: QueryCompiler
  ) -> String {
    var tables = ""
    var end = alias
    var start = ""
    for (index, link) in links.enumerated().dropFirst(known) {
      compiler.record(link.property)
      let name = compiler.nextAlias("s")
      if tables.isEmpty {
        let before = Array(links.prefix(index))
        tables = "\(link.target.table) AS \(name)"
        start =
          "\(name).\(link.target.identity) = "
          + self.column(link.property.column, after: before, compiler)
      } else {
        tables += " JOIN \(link.target.table) AS \(name) "
        tables += "ON \(name).\(link.target.identity) = \(end).\(link.property.column)"
      }
      end = name
    }
    return "(SELECT \(end).\(column) FROM \(tables) WHERE \(start))"
  }

  /// Returns the identity of the object at the end of some links. The last link needs no join.
  func identity(after links: [ResolvedStep], _ compiler: QueryCompiler) -> String {
    guard let last = links.last else { return identity }
    compiler.record(last.property)
    return column(last.property.column, after: Array(links.dropLast()), compiler)
  }
}

extension ResolvedStep {
  /// The property of the step, in either direction.
  var property: QueryProperty {
    switch self {
    case .link(let property, _), .elements(let property, _), .owners(let property, _, _): property
    }
  }
}
