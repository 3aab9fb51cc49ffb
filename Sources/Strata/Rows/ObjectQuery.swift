import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// A query: the objects of a table that it finds, and their order.
///
/// Queries are values: adding a condition or an order returns another query. Constants are
/// parameters, so the same query with other values is the same statement.
struct ObjectQuery {
  // Boxed, because a query is copied for each use.
  indirect enum Source {
    case all
    case collection(CollectionInfo, owner: Int64)
    /// The objects with a link to an object. The column is quoted.
    case linking(column: String, to: Int64)
    /// The objects with a collection that contains an object, once for each occurrence.
    case containing(CollectionInfo, Int64)
  }

  let table: Table
  let source: Source
  private let statement: CompiledQuery

  init(_ table: Table, _ source: Source = .all) {
    if case .all = source {
      self.init(table, source, table.queries.all)
    } else {
      self.init(table, source, CompiledQuery(PreparedQuery(QuerySQL(source, table))))
    }
  }

  /// Creates a query for objects of a class from a cached query.
  ///
  /// - Parameter request: Makes the conditions and orders. Most uses need only the SQL.
  init(
    _ table: Table, _ prepared: PreparedQuery, _ key: QueryCache.Key, _ constants: [StoredValue],
    request: @escaping @Sendable () -> QueryRequest
  ) {
    self.init(table, .all, CompiledQuery(prepared, key, constants, request: request))
  }

  /// The key of the query in the cache of its class; nil if other constants may need other SQL.
  var key: QueryCache.Key? { statement.key }

  /// The same query in SQL that makes SQLite take one way.
  func taking(_ way: RangeWay) -> ObjectQuery {
    if way == .usual { return self }
    let request: @Sendable () -> QueryRequest = { [statement] in statement.request }
    guard var key else {
      let prepared = PreparedQuery(sql.taking(way))
      return ObjectQuery(table, source, CompiledQuery(prepared, nil, parameters, request: request))
    }
    key.way = way
    let prepared = table.queries[key] ?? table.queries.add(sql.taking(way), key)
    return ObjectQuery(table, prepared, key, parameters, request: request)
  }

  private init(_ table: Table, _ source: Source, _ statement: CompiledQuery) {
    self.table = table
    self.source = source
    self.statement = statement
  }

  var request: QueryRequest { statement.request }

  var sql: QuerySQL { statement.sql }

  /// The ranges for which there are several ways to the rows, if any.
  var ranges: IndexedRanges? { statement.prepared.sql.ranges }

  /// Whether the query finds all objects of the class: no condition or limit leaves any out.
  var isWholeTable: Bool {
    if case .all = source { !isRestricted } else { false }
  }

  /// Whether the objects are in the order of their identities, each once.
  var isByIdentity: Bool {
    key?.order.isEmpty ?? (source.isByIdentity && !request.isSorted && sql.limit == nil)
  }

  /// Whether conditions, distinct values or a limit leave objects out.
  var isRestricted: Bool { key.map { $0.shape != nil } ?? request.isRestricted }

  /// The parameter values of each statement. Values of a further condition come after these.
  var parameters: [StoredValue] { statement.parameters }

  /// The SQL of a further condition's parameter, counted from 1.
  func parameter(_ number: Int) -> String { "?\(sql.parameters.count + number)" }

  /// The same query with a changed request.
  ///
  /// - Throws: ``PredicateProblem`` if the query exceeds SQLite's limits for a statement.
  func changing(
    _ queryClass: QueryClass, _ change: (inout QueryRequest) -> Void
  ) throws(PredicateProblem) -> ObjectQuery {
    var request = request
    change(&request)
    let base = QueryBase(source, table, queryClass)
    try request.checkSize(base)
    try request.checkDepth()
    return ObjectQuery(table, source, CompiledQuery(request, base))
  }

  /// The statement that selects the values at some typed paths, in the order of the rows.
  func selecting(
    _ paths: [ResolvedPath], of queryClass: QueryClass
  ) -> (sql: String, parameters: [StoredValue]) {
    let sql = request.compiled(for: QueryBase(source, table, queryClass), selecting: paths)
    return (sql.select(sql.columns), sql.parameters)
  }

  /// The SQL that selects the rows of the query.
  /// - Parameters:
  ///   - columns: The SQL of the columns to select from the table `t`.
  ///   - condition: A further condition in SQL, with parameters from ``parameter(_:)``.
  func select(_ columns: String, where condition: String? = nil, reversed: Bool = false) -> String {
    sql.select(columns, where: condition, reversed: reversed)
  }

  /// Selects the first row, or with `reversed` the last.
  func first(reversed: Bool) -> StatementText {
    statement.prepared.text(reversed ? .last : .first) {
      $0.first(table.texts.qualifiedColumns, reversed: reversed)
    }
  }

  var deletion: StatementText {
    statement.prepared.text(.deletion) { $0.deletion(from: table.name, identity: table.identity) }
  }

  /// Selects one value for all rows, such as `count(*)`; `t` is the table.
  func aggregate(_ expression: String) -> String { sql.aggregate(expression) }

  /// Selects 1 if the query finds a row, else 0.
  var exists: StatementText {
    statement.prepared.text(.exists) { "SELECT EXISTS (\($0.aggregate("1")))" }
  }

  /// Selects the number of all rows of the table, and the least and the greatest identity.
  var extent: StatementText {
    statement.prepared.text(.extent) { _ in
      // As separate subqueries these are index lookups. Together, SQLite would compare all rows.
      "SELECT (SELECT count(*) FROM \(table.name)), "
        + "(SELECT min(\(table.identity)) FROM \(table.name)), "
        + "(SELECT max(\(table.identity)) FROM \(table.name))"
    }
  }

  var count: StatementText { statement.prepared.text(.count) { $0.aggregate("count(*)") } }
}

extension ObjectQuery.Source {
  fileprivate var isByIdentity: Bool {
    switch self {
    case .all, .linking: true
    case .collection, .containing: false
    }
  }

  fileprivate var row: Int64? {
    switch self {
    case .all: nil
    case .collection(_, let row), .linking(_, let row), .containing(_, let row): row
    }
  }

  /// The tables in SQL, with the condition of the source.
  fileprivate func tables(_ table: Table) -> (tables: String, condition: String?) {
    switch self {
    case .all: ("\(table.name) AS t", nil)
    case .linking(let column, _): ("\(table.name) AS t", "t.\(column) = ?1")
    // `CROSS JOIN` makes SQLite begin with the collection, whatever its statistics say.
    case .collection(let info, _):
      (
        "\(info.name) AS c CROSS JOIN \(table.name) AS t ON t.\(table.identity) = c.value",
        "c.owner = ?1"
      )
    case .containing(let info, _):
      (
        "\(info.name) AS c CROSS JOIN \(table.name) AS t ON t.\(table.identity) = c.owner",
        "c.value = ?1"
      )
    }
  }

  fileprivate func order(_ table: Table) -> String {
    if case .collection(let info, _) = self { "c.\(info.order)" } else { "t.\(table.identity)" }
  }

  /// A key that differs for each row: a list contains an object as often as it was appended.
  fileprivate func rowKey(_ table: Table) -> String {
    switch self {
    case .all, .linking: "t.\(table.identity)"
    case .collection(let info, _): "c.\(info.order)"
    case .containing(let info, _):
      info.kind == .set ? "t.\(table.identity)" : "(c.owner, c.\(info.order))"
    }
  }
}

extension QuerySQL {
  /// Creates the SQL for all rows of a source, in their own order.
  fileprivate init(_ source: ObjectQuery.Source, _ table: Table) {
    let (tables, condition) = source.tables(table)
    self.init(
      tables: tables, condition: condition, order: source.order(table),
      parameters: source.row.map { [.integer($0)] } ?? [])
  }
}

extension QueryBase {
  fileprivate init(_ source: ObjectQuery.Source, _ table: Table, _ queryClass: QueryClass) {
    let (tables, condition) = source.tables(table)
    self.init(
      queryClass, tables: tables, condition: condition, parameter: source.row,
      rowKey: source.rowKey(table), order: source.order(table), isByIdentity: source.isByIdentity)
  }
}

/// The request of a query and its SQL, each made at first use: when a program adds conditions one
/// after the other, only the last query runs. A cached query needs only its constants.
final class CompiledQuery: Sendable {
  private struct Made: Sendable {
    var request: QueryRequest?
    var prepared: PreparedQuery?
  }

  let key: QueryCache.Key?
  private let constants: [StoredValue]?
  private let makeRequest: @Sendable () -> QueryRequest
  private let prepare: @Sendable () -> PreparedQuery
  private let made: Mutex<Made>

  /// - Parameter constants: The values of the parameters; nil if the SQL has them.
  init(
    _ prepared: PreparedQuery, _ key: QueryCache.Key? = nil, _ constants: [StoredValue]? = nil,
    request: @escaping @Sendable () -> QueryRequest = { QueryRequest() }
  ) {
    self.key = key
    self.constants = constants
    makeRequest = request
    prepare = { prepared }
    made = Mutex(Made(prepared: prepared))
  }

  init(_ request: QueryRequest, _ base: QueryBase) {
    key = nil
    constants = nil
    makeRequest = { request }
    prepare = { PreparedQuery(request.compiled(for: base)) }
    made = Mutex(Made(request: request))
  }

  var request: QueryRequest {
    if let request = made.withLock({ $0.request }) { return request }
    // Outside of the lock, because other threads wait for it.
    let request = makeRequest()
    made.withLock { $0.request = request }
    return request
  }

  var prepared: PreparedQuery {
    if let prepared = made.withLock({ $0.prepared }) { return prepared }
    let prepared = prepare()
    made.withLock { $0.prepared = prepared }
    return prepared
  }

  var sql: QuerySQL {
    var sql = prepared.sql
    if let constants { sql.parameters = constants }
    return sql
  }

  var parameters: [StoredValue] { constants ?? prepared.sql.parameters }
}
