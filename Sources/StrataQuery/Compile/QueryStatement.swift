package import StrataSchema

extension ResolvedPredicate {
  package func checkDepth() throws(PredicateProblem) {
    guard depth <= QueryDepth.maxInSQL else { throw .tooDeep(QueryDepth.maxInSQL) }
  }
}

extension QueryRequest {
  package func checkDepth() throws(PredicateProblem) {
    var weight = 0
    for (index, level) in levels.enumerated() {
      weight = max(weight, level.predicates.depth)
      for case .distinct in level.orderings { weight += QueryDepth.ofDistinct }
      if level.limit != nil, index < levels.count - 1 { weight += QueryDepth.ofLimit }
    }
    guard weight <= QueryDepth.maxInSQL else { throw .tooManyLevels }
  }

  /// Compiles the request into SQL.
  ///
  /// - Parameter paths: The values to select, as in ``QuerySQL/columns``.
  package func compiled(
    for base: QueryBase, selecting paths: [ResolvedPath] = []
  ) -> QuerySQL {
    let compiler = QueryCompiler(parameters: base.parameter.map { [.integer($0)] } ?? [])
    return compiler.compile(self, base, paths)
  }
}

extension QueryCompiler {
  /// The conditions of the rows so far, and their order.
  private struct Rows {
    /// The conditions that are not yet in `found`.
    var predicates: [ResolvedPredicate] = []
    /// The condition that a row was found by a subselect.
    var found: String?
    /// The sort keys, with the last sort first.
    var sorts: [[QuerySortKey]] = []

    var keys: [QuerySortKey] { sorts.flatMap { $0 } }
  }

  fileprivate func compile(
    _ request: QueryRequest, _ base: QueryBase, _ paths: [ResolvedPath]
  ) -> QuerySQL {
    var rows = Rows()
    for (index, level) in request.levels.enumerated() {
      rows.predicates += level.predicates.conditions
      for ordering in level.orderings {
        switch ordering {
        case .sort(let keys): rows.sorts.insert(keys, at: 0)
        case .distinct(let paths):
          rows.found = distinct(paths, rows, base)
          rows.predicates = []
        }
      }
      if let limit = level.limit, index < request.levels.count - 1 {
        let sql = statement(rows, base, limit)
        rows.found = "\(base.rowKey) IN (\(sql.select(base.rowKey.unparenthesized)))"
        rows.predicates = []
      }
    }
    var sql = statement(rows, base, request.levels.last?.limit, selecting: paths)
    sql.parameters = parameters
    sql.reads = reads
    if !conjuncts.isEmpty, rows.found == nil, base.condition == nil, base.isByIdentity {
      sql.ranges = IndexedRanges(conjuncts, sql, rows.keys, of: base.queryClass)
    }
    return sql
  }

  /// Returns the statement for some rows. Its parameters are added to the compiler's parameters.
  private func statement(
    _ rows: Rows, _ base: QueryBase, _ limit: QueryLimit?, selecting paths: [ResolvedPath] = []
  ) -> QuerySQL {
    let scope = QueryScope("t", base.queryClass)
    return withRows(scope) {
      let condition = condition(rows, base)
      let needed = scope.joins.count
      var order = rows.keys.flatMap { terms(of: $0) }
      order.append(QuerySQL.Term(sql: base.order, ascending: true))
      let columns = paths.flatMap { path in
        let value = value(path)
        return [value.sql, value.typeSQL ?? "NULL"]
      }
      var sql = QuerySQL(
        tables: base.tables + scope.joinText(upTo: needed),
        orderTables: scope.joinText(from: needed), condition: condition, order: order,
        limit: limit.map {
          "\(parameter(.integer($0.count))) OFFSET \(parameter(.integer($0.offset)))"
        })
      sql.columns = columns.joined(separator: ", ")
      return sql
    }
  }

  private func condition(_ rows: Rows, _ base: QueryBase) -> String? {
    let isSelective = base.condition != nil || rows.predicates.contains(where: \.isSelective)
    let context = Context(isSelective: isSelective, isConjunct: true)
    let conditions =
      [base.condition, rows.found].compactMap { $0 } + rows.predicates.map { compile($0, context) }
    guard conditions.count > Self.maxChain else {
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }
    return Self.join(conditions[...], " AND ")
  }

  // MARK: Order

  private func terms(of key: QuerySortKey) -> [QuerySQL.Term] {
    let (value, link) = keyValue(key.path)
    var terms: [QuerySQL.Term] = []
    // A nil link is last in ascending order, but a nil value is first.
    if let link { terms.append(QuerySQL.Term(sql: "\(link) IS NULL", ascending: key.ascending)) }
    terms.append(
      QuerySQL.Term(
        sql: value, ascending: key.ascending, allowsNil: true, least: key.path.type.least,
        isSearched: key.path.isSearched))
    return terms
  }

  /// Returns a value for ordering or comparing rows, and the identity of the object that has it.
  /// The identity is NULL after a nil link.
  private func keyValue(_ path: ResolvedPath) -> (value: String, link: String?) {
    let value = value(path)
    let sql =
      switch value.type {
      case .any: "strata_any_key(\(value.sql), \(value.typeText))"
      case .decimal128: "\(value.sql) COLLATE strata_decimal"
      default: value.sql
      }
    guard case .link(_, let target)? = path.steps.last else { return (sql, nil) }
    return (sql, scopes[0].column(target.identity, after: path.steps, self))
  }

  // MARK: Distinct

  private func distinct(
    _ paths: [ResolvedPath], _ rows: Rows, _ base: QueryBase
  ) -> String {
    let scope = QueryScope("t", base.queryClass)
    return withRows(scope) {
      var conditions = [condition(rows, base)].compactMap { $0 }
      let keys = paths.map { keyValue($0) }
      conditions += keys.compactMap { $0.link.map { "\($0) IS NOT NULL" } }
      let values = keys.map(\.value).joined(separator: ", ")
      let order =
        rows.keys.flatMap { terms(of: $0) }.map { "\($0.sql) \($0.ascending ? "ASC" : "DESC")" }
        + [base.order]
      let tables = base.tables + scope.joinText()
      let filter =
        conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
      if order.count == 1, base.isByIdentity {
        return """
          \(base.rowKey) IN (SELECT min(\(base.rowKey)) FROM \(tables)\(filter) GROUP BY \(values))
          """
      }
      let columns = base.rowKey.unparenthesized
      return """
        \(base.rowKey) IN (SELECT \(columns.names) FROM (SELECT \(columns.named), \
        row_number() OVER (PARTITION BY \(values) ORDER BY \(order.joined(separator: ", "))) \
        AS n FROM \(tables)\(filter)) WHERE n = 1)
        """
    }
  }
}

extension ResolvedPath {
  /// Whether an index of the rows has the order of the values at the end.
  fileprivate var isSearched: Bool {
    guard steps.isEmpty, nested.isEmpty, case .property(let property) = target else { return false }
    return property.isSearchable && property.type != .any && property.type != .decimal128
  }
}

extension PropertyType {
  /// The lower bound of all values of the type, in SQL.
  fileprivate var least: String? {
    switch self {
    case .bool, .int, .float, .double: "-9e999"
    case .string, .date, .UUID, .objectId: "''"
    case .any: "x''"
    case .decimal128, .data, .object, .linkingObjects: nil
    }
  }
}

extension String {
  /// The columns of a row value: `(c.owner, c.position)` without the parentheses.
  fileprivate var unparenthesized: String {
    hasPrefix("(") && hasSuffix(")") ? String(dropFirst().dropLast()) : self
  }

  /// The columns with aliases: `c.owner AS k0, c.position AS k1`.
  fileprivate var named: String {
    split(separator: ", ").enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
  }

  fileprivate var names: String {
    split(separator: ", ").indices.map { "k\($0)" }.joined(separator: ", ")
  }
}

/// A query in SQL, without the selected columns.
package struct QuerySQL: Sendable {
  /// The tables after `FROM`, including tables for the conditions.
  package var tables: String
  /// Further tables that only the order needs.
  package var orderTables: String
  /// The condition after `WHERE`.
  package var condition: String?
  package var order: [Term]
  /// The text after `LIMIT`.
  package var limit: String?
  /// The values of ?1, ?2 and so on.
  package var parameters: [StoredValue] = []
  /// The dependencies, without duplicates.
  package var reads: [QueryRead] = []
  /// The columns of the requested values, each followed by the column of its type.
  package internal(set) var columns = ""
  /// The ranges for which an index may be slower than a scan; nil for most queries.
  package internal(set) var ranges: IndexedRanges?

  /// A value to sort by, in SQL.
  package struct Term: Sendable {
    package var sql: String
    package var ascending: Bool
    /// Whether the value may be nil.
    var allowsNil = false
    /// The lower bound of all values, in SQL; nil if unknown.
    var least: String?
    /// Whether an index of the rows has the order of the values.
    var isSearched = false
  }

  /// Returns the statement.
  /// - Parameter condition: A further condition in SQL, whose parameters follow the query's
  ///   parameters. Not for a query with a limit, because the limit would apply to other rows.
  package func select(
    _ columns: String, where further: String? = nil, reversed: Bool = false
  ) -> String {
    if reversed, limit != nil {
      // The last of the limited rows: all of them are found, and then reversed.
      let order = terms(reversed: false)
      let rows = select("\(columns), row_number() OVER (ORDER BY \(order)) AS \"strata_row\"")
      return "SELECT * FROM (\(rows)) ORDER BY \"strata_row\" DESC"
    }
    return """
      SELECT \(columns) FROM \(tables)\(orderTables)\(filter(further)) ORDER BY \
      \(terms(reversed: reversed))\(limit.map { " LIMIT \($0)" } ?? "")
      """
  }

  private func terms(reversed: Bool) -> String {
    order.map { "\($0.sql) \($0.ascending != reversed ? "ASC" : "DESC")" }.joined(separator: ", ")
  }

  /// Returns the statement for the first row, or with `reversed` for the last row.
  package func first(_ columns: String, reversed: Bool) -> String {
    guard limit != nil else { return select(columns, reversed: reversed) + " LIMIT 1" }
    return "SELECT * FROM (\(select(columns, reversed: reversed))) LIMIT 1"
  }

  /// Returns the statement for one value of all rows, such as `count(*)`. Columns belong to `t`.
  package func aggregate(_ expression: String) -> String {
    guard limit != nil else { return "SELECT \(expression) FROM \(tables)\(filter(nil))" }
    return "SELECT \(expression) FROM (\(select("t.*"))) AS t"
  }

  /// Returns the statement for the number of rows for which a further condition is true. The
  /// condition may use the order's tables.
  ///
  /// - Precondition: The query has no limit.
  func count(where further: String) -> String {
    "SELECT count(*) FROM \(tables)\(orderTables)\(filter(further))"
  }

  /// Returns the statement that deletes the rows.
  ///
  /// - Parameters:
  ///   - table: The table `t`, quoted.
  ///   - identity: Its column of identities, quoted.
  package func deletion(from table: String, identity: String) -> String {
    // SQLite needs no list of rows if the conditions concern only the table itself.
    if tables == "\(table) AS t", limit == nil { return "DELETE FROM \(tables)\(filter(nil))" }
    return "DELETE FROM \(table) WHERE \(identity) IN (\(select("t.\(identity)")))"
  }

  private func filter(_ further: String?) -> String {
    let conditions = [condition, further].compactMap { $0 }
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }
}

extension QuerySQL {
  /// Creates a query of all rows of some tables in one order.
  package init(tables: String, condition: String?, order: String, parameters: [StoredValue]) {
    self.init(
      tables: tables, orderTables: "", condition: condition,
      order: [Term(sql: order, ascending: true)], limit: nil, parameters: parameters)
  }
}

extension QuerySQL {
  /// Returns a statement of this query with its parameters as literals, for people and other
  /// programs.
  package func literal(_ statement: String) -> String {
    var result: [UInt8] = []
    var bytes = statement.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Names and texts are copied up to their end, because they may contain `?1`.
        result.append(byte)
        while let next = bytes.popFirst() {
          result.append(next)
          if next == byte { break }
        }
      case UInt8(ascii: "?"):
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(digits.count)
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        let isKnown = parameters.indices.contains(number - 1)
        result += (isKnown ? parameters[number - 1].sqlLiteral : "NULL").utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
