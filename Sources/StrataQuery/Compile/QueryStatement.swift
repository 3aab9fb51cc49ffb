import StrataSchema

extension ResolvedPredicate {
  /// - Throws: ``PredicateProblem`` for a condition that is nested too deeply for SQLite.
  package func checkDepth() throws(PredicateProblem) {
    guard depth <= QueryDepth.maxInSQL else { throw .tooDeep(QueryDepth.maxInSQL) }
  }
}

extension QueryRequest {
  /// - Throws: ``PredicateProblem`` if limits, distinct values and conditions are nested too deeply
  ///   for SQLite.
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
        },
        parameters: [], reads: [])
      sql.columns = columns.joined(separator: ", ")
      return sql
    }
  }

  private func condition(_ rows: Rows, _ base: QueryBase) -> String? {
    let isSelective = base.condition != nil || rows.predicates.contains(where: \.isSelective)
    let context = Context(isSelective: isSelective, isConjunct: true)
    let conditions =
      [base.condition, rows.found].compactMap { $0 } + rows.predicates.map { compile($0, context) }
    guard conditions.count > Self.longestRow else {
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
