import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// A query: which objects of a table are meant, and in which order.
///
/// A value: conditions and orders make another query of it. Constants are parameters, so that the
/// same query with other values is the same statement.
struct ObjectQuery {
  // Boxes: a query is copied for each use of it.
  indirect enum Source {
    /// All of the class.
    case all
    /// Those in a collection of an object.
    case collection(CollectionInfo, owner: Int64)
    /// Those with a link to an object. The column is quoted.
    case linking(column: String, to: Int64)
    /// Those with a collection that contains an object, as often as it does.
    case containing(CollectionInfo, Int64)
  }

  let table: Table
  let source: Source
  private let statement: CompiledQuery

  init(_ table: Table, _ source: Source = .all) {
    if case .all = source {
      self.init(table, source, table.preparedQueries.allCompiled)
    } else {
      self.init(table, source, CompiledQuery(QuerySQL(source, table)))
    }
  }

  /// Objects of a class whose SQL is prepared.
  init(
    _ table: Table, _ prepared: PreparedQuery, _ constants: [StoredValue], _ asked: PreparedRequest
  ) {
    self.init(table, .all, CompiledQuery(prepared, constants, asked))
  }

  /// The prepared query that this one is.
  var prepared: PreparedQuery? { statement.prepared }

  /// The ways to its rows, where there are several.
  var ways: RangeWays? { statement.ways }

  /// The same query in words that lead SQLite one way.
  func taking(_ way: RangeWay, of ways: RangeWays) -> ObjectQuery {
    if way == .usual { return self }
    let other = ways.query(way) {
      PreparedQuery(
        sql.taking(way), isRestricted: true, isByIdentity: isByIdentity, isKept: prepared != nil)
    }
    return ObjectQuery(table, other, parameters, .made { [statement] in statement.request })
  }

  private init(_ table: Table, _ source: Source, _ statement: CompiledQuery) {
    self.table = table
    self.source = source
    self.statement = statement
  }

  var request: QueryRequest { statement.request }

  var sql: QuerySQL { statement.sql }

  /// Whether all objects of the class are meant, in their own order.
  var isUnchanged: Bool {
    prepared === table.preparedQueries.all
  }

  /// Whether all objects of the class are meant, and no condition or limit leaves any out.
  var isWholeTable: Bool {
    if case .all = source { !isRestricted } else { false }
  }

  /// Whether the objects are in the order of their identities, each once.
  var isByIdentity: Bool {
    prepared?.isByIdentity ?? (source.isByIdentity && !request.isSorted && sql.limit == nil)
  }

  /// Whether conditions, distinct values or a limit leave objects out.
  var isRestricted: Bool { prepared?.isRestricted ?? request.isRestricted }

  /// The values of the parameters of each statement, before those of a further condition.
  var parameters: [StoredValue] { statement.parameters }

  /// The parameter of a further condition, the first of them with 1.
  func parameter(_ number: Int) -> String { "?\(sql.parameters.count + number)" }

  /// The same query with a change of what it asks for.
  ///
  /// - Throws: ``PredicateProblem`` for more than SQLite takes in a statement.
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

  /// The statement for values at some paths, each with its type, in the order of the rows.
  func selecting(
    _ paths: [ResolvedPath], of queryClass: QueryClass
  ) -> (sql: String, parameters: [StoredValue]) {
    let sql = request.compiled(for: QueryBase(source, table, queryClass), selecting: paths)
    return (sql.select(sql.columns), sql.parameters)
  }

  /// The columns and rows of the query.
  /// - Parameters:
  ///   - columns: What to select of the table `t`, in SQL.
  ///   - condition: A further condition in SQL, with the parameters that ``parameter(_:)`` names.
  func select(_ columns: String, where condition: String? = nil, reversed: Bool = false) -> String {
    sql.select(columns, where: condition, reversed: reversed)
  }

  /// The first row, or with `reversed` the last.
  func first(reversed: Bool) -> StatementText {
    statement.text(reversed ? .last : .first) {
      $0.first(table.texts.qualifiedColumns, reversed: reversed)
    }
  }

  /// The statement that deletes the rows.
  var deletion: StatementText {
    statement.text(.deletion) { $0.deletion(from: table.name, identity: table.identity) }
  }

  /// One value for all rows, such as `count(*)`; columns are those of `t`.
  func aggregate(_ expression: String) -> String { sql.aggregate(expression) }

  /// 1 if there is a row, else 0.
  var exists: StatementText {
    statement.text(.exists) { "SELECT EXISTS (\($0.aggregate("1")))" }
  }

  /// The number of all rows of the table, and the least and the greatest identity.
  var extent: StatementText {
    statement.text(.extent) { _ in
      // One by one each is looked up; together they would be compared for each row.
      "SELECT (SELECT count(*) FROM \(table.name)), "
        + "(SELECT min(\(table.identity)) FROM \(table.name)), "
        + "(SELECT max(\(table.identity)) FROM \(table.name))"
    }
  }

  /// The number of rows.
  var count: StatementText { statement.text(.count) { $0.aggregate("count(*)") } }
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

  /// The tables, with what limits their rows.
  fileprivate func tables(_ table: Table) -> (tables: String, condition: String?) {
    switch self {
    case .all: ("\(table.name) AS t", nil)
    case .linking(let column, _): ("\(table.name) AS t", "t.\(column) = ?1")
    // `CROSS JOIN` begins with the collection, whatever SQLite thinks of its size.
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

  /// What is different for each row: an object is in a list as often as it was appended.
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
  /// All rows of a source, in their own order.
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
