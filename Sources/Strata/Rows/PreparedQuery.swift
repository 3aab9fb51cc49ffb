import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The SQL for objects of a class, all or with a condition of one shape, in some order.
final class PreparedQuery: Sendable {
  /// A property to sort by, as programs name it.
  struct SortKey: Sendable, Hashable {
    var keyPath: String
    var ascending: Bool
  }

  /// The SQL, with the constants of the first condition.
  let sql: QuerySQL
  /// Whether a condition leaves objects out.
  let isRestricted: Bool
  /// Whether the objects are in the order of their identities.
  let isByIdentity: Bool
  /// The alternative ways to the rows, if there are several.
  let ways: RangeWays?
  /// The resolver for the shape of the conditions; nil without conditions, and for another order or
  /// way.
  let resolver: ShapeResolver?
  private let texts: Mutex<QueryTexts>
  private let sorted = Mutex<[[SortKey]: PreparedQuery]>([:])
  private static let maxOrders = 64

  /// - Parameter isKept: Whether the query is expected to run often.
  init(
    _ sql: QuerySQL, isRestricted: Bool, isByIdentity: Bool = true, isKept: Bool = true,
    resolver: ShapeResolver? = nil
  ) {
    self.sql = sql
    self.isRestricted = isRestricted
    self.isByIdentity = isByIdentity
    ways = RangeWays(sql)
    self.resolver = resolver
    texts = Mutex(QueryTexts(areKept: isKept))
  }

  /// The same objects in another order; nil if the SQL isn't cached.
  subscript(_ order: [SortKey]) -> PreparedQuery? { sorted.withLock { $0[order] } }

  /// Caches the SQL of the same objects in another order, if the order has no parameters. Doesn't
  /// cache orders of sorted queries: programs may sort endlessly.
  ///
  /// - Returns: The prepared query; nil if it isn't cached.
  func add(
    _ sql: QuerySQL, _ order: [SortKey], _ constants: [StoredValue]
  ) -> PreparedQuery? {
    guard isByIdentity, sql.parameters == constants else { return nil }
    let query = PreparedQuery(sql, isRestricted: isRestricted, isByIdentity: false)
    sorted.withLock { sorted in
      if sorted.count >= Self.maxOrders { sorted.removeAll() }
      sorted[order] = query
    }
    return query
  }

  /// A statement, made at first use.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> StatementText {
    texts.withLock { $0.text(kind) { make(sql) } }
  }
}

/// The conditions and orders of a prepared query. Most uses need only the SQL, which contains them.
enum PreparedRequest: Sendable {
  /// All objects of the class.
  case all
  case condition(QueryPredicate)
  /// Conditions and orders that are combined when they are needed.
  case made(@Sendable () -> QueryRequest)

  func request(_ resolver: ShapeResolver?) -> QueryRequest {
    switch self {
    case .all: return QueryRequest()
    case .made(let make): return make()
    case .condition(let predicate): return resolved(predicate, resolver)
    }
  }

  private func resolved(_ predicate: QueryPredicate, _ resolver: ShapeResolver?) -> QueryRequest {
    guard let resolver else { stopForProgrammerError("A prepared condition has no shape.") }
    do throws(PredicateProblem) {
      return try resolver.request(predicate)
    } catch {
      // Another condition of the same shape was resolved without an error.
      stopForProgrammerError(error.message)
    }
  }
}

/// The class and the schema in which the conditions of a shape are resolved.
struct ShapeResolver: Sendable {
  let schema: QuerySchema
  let queryClass: QueryClass

  fileprivate func request(
    _ predicate: QueryPredicate
  ) throws(PredicateProblem) -> QueryRequest {
    var request = QueryRequest()
    request.add(try PredicateResolver(schema).resolve(predicate, ofObjects: queryClass))
    return request
  }
}

/// The prepared queries of a class, by the shapes of conditions.
final class PreparedQueries: Sendable {
  /// The unfiltered query.
  let all: PreparedQuery
  let allCompiled: CompiledQuery
  private let queries = Mutex<[QueryShape: PreparedQuery]>([:])

  /// The limit of prepared queries: a program may make conditions of ever new shapes.
  static let maxCount = 256

  init(ofAll sql: QuerySQL) {
    all = PreparedQuery(sql, isRestricted: false)
    allCompiled = CompiledQuery(all)
  }

  subscript(_ shape: QueryShape) -> PreparedQuery? { queries.withLock { $0[shape] } }

  var count: Int { queries.withLock { $0.count } }

  /// Caches the SQL of a condition for others of its shape, if the SQL is the same for them.
  ///
  /// - Parameters:
  ///   - sql: The SQL, made only for a condition that can be cached.
  ///   - resolver: The resolver that has resolved the condition.
  /// - Returns: The prepared query; nil if the SQL depends on the constants.
  func add(
    _ sql: @autoclosure () -> QuerySQL, _ shape: QueryShape, _ constants: [StoredValue],
    _ resolved: ResolvedPredicate, _ resolver: ShapeResolver
  ) -> PreparedQuery? {
    // Parameters can be matched with constants only if all constants differ.
    guard resolved.hasSQL(ofAll: shape), Set(constants).count == constants.count else {
      return nil
    }
    let sql = sql()
    guard sql.parameters == constants else { return nil }
    let query = PreparedQuery(sql, isRestricted: true, resolver: resolver)
    queries.withLock { queries in
      if queries.count >= Self.maxCount { queries.removeAll() }
      queries[shape] = query
    }
    return query
  }
}

/// The statements of a query that may run several times.
struct QueryTexts: Sendable {
  enum Kind: Int, CaseIterable {
    case first, last, count, exists, extent, deletion
  }

  /// The statements by kind; empty before the first one.
  private var texts: [StatementText?] = []
  /// Whether the query is expected to run often.
  private let areKept: Bool

  init(areKept: Bool) { self.areKept = areKept }

  mutating func text(_ kind: Kind, _ make: () -> String) -> StatementText {
    if kind.rawValue < texts.count, let known = texts[kind.rawValue] { return known }
    let text = StatementText(make(), isKept: areKept)
    if texts.isEmpty { texts = Array(repeating: nil, count: Kind.allCases.count) }
    texts[kind.rawValue] = text
    return text
  }
}

/// The SQL of a table: its columns, and the statements that reach its rows.
struct TableTexts: Sendable {
  /// The identity and the columns of each property, quoted, in the order in which rows are read.
  let columns: String
  /// The number of columns without the identity.
  let columnCount: Int
  /// The columns with the qualifier `t`, for queries of several tables.
  let qualifiedColumns: String
  let selectByID: StatementText
  /// Nil for a class without a primary key.
  let selectByKey: StatementText?
  let selectRange: StatementText
  /// Selects rows in a range of identities, up to a limit.
  let selectSome: StatementText
  /// Selects the greatest identity; returns no row for an empty table.
  let greatest: StatementText
  let deleteByID: StatementText

  /// - Parameters:
  ///   - name: The table, quoted.
  ///   - identity: Its identity, quoted.
  init(_ info: ClassInfo, _ schema: ObjectSchema, name: String, identity: String) {
    let names = info.properties.flatMap(\.columns).map { SQLName.quote($0.name) }
    let columns = ([identity] + names).joined(separator: ", ")
    self.columns = columns
    columnCount = names.count
    qualifiedColumns = ([identity] + names).map { "t.\($0)" }.joined(separator: ", ")
    selectByID = StatementText("SELECT \(columns) FROM \(name) WHERE \(identity) = ?")
    selectByKey = schema.primaryKeyProperty.map {
      // `IS` also finds a nil key, and uses the index.
      StatementText("SELECT \(columns) FROM \(name) WHERE \(SQLName.quote($0.columnName)) IS ?")
    }
    let range =
      "SELECT \(columns) FROM \(name) WHERE \(identity) BETWEEN ? AND ? ORDER BY \(identity)"
    selectRange = StatementText(range)
    selectSome = StatementText(range + " LIMIT ?")
    greatest = StatementText(
      "SELECT \(identity) FROM \(name) ORDER BY \(identity) DESC LIMIT 1")
    deleteByID = StatementText("DELETE FROM \(name) WHERE \(identity) = ?")
  }
}

/// The sizes of the tables of one file, and the last ways to ranges of their rows.
final class RangeAnswers: Sendable {
  /// A question about constants, at a time of the session's clock.
  struct Question: Sendable, Equatable {
    var ranges: IndexedRanges
    var use: RangeUse
    var constants: [StoredValue]
    var time: UInt64
  }

  private struct Known: Sendable {
    var costs: RangeCosts
    var time: UInt64
    /// The number of rows when the width was read.
    var measured: Int64
  }

  /// The sizes by the positions of the tables.
  private let sizes = Mutex<[Int: Known]>([:])
  private let ways = Mutex<[Int: (question: Question, way: RangeWay)]>([:])
  /// The number of commits after which a small table is measured again.
  private static let commits: UInt64 = 64

  /// The last way to rows of a table, if it was for the same question.
  func way(_ question: Question, of table: Table) -> RangeWay? {
    ways.withLock { ways in
      guard let known = ways[table.index], known.question == question else { return nil }
      return known.way
    }
  }

  func record(_ way: RangeWay, for question: Question, of table: Table) {
    ways.withLock { $0[table.index] = (question, way) }
  }

  /// The size of a table; nil for a small table, and for one that can't be read.
  ///
  /// - Parameter read: Runs a statement and returns its integer.
  func size(
    of table: Table, _ ranges: IndexedRanges, at time: UInt64, _ read: (String) -> Int64?
  ) -> RangeCosts? {
    let known = sizes.withLock { $0[table.index] }
    if let known, known.time == time || isSmall(known, time) { return usable(known) }
    guard let rows = read(ranges.rowCountSQL) else { return nil }
    let costs = RangeCosts(rows: rows, width: known?.costs.width ?? 0)
    var new = Known(costs: costs, time: time, measured: known?.measured ?? 0)
    if rows >= RangeCosts.minRows, rows > new.measured + new.measured / 2 {
      new.costs.width = Int(read(ranges.widthStatement) ?? 0)
      new.measured = rows
    }
    sizes.withLock { [new] in $0[table.index] = new }
    return usable(new)
  }

  private func isSmall(_ known: Known, _ time: UInt64) -> Bool {
    known.costs.rows < RangeCosts.minRows / 2 && time &- known.time < Self.commits
  }

  private func usable(_ known: Known) -> RangeCosts? {
    known.costs.rows >= RangeCosts.minRows ? known.costs : nil
  }
}

/// The ways to the rows of a prepared query with ranges, each with its SQL.
final class RangeWays: Sendable {
  let ranges: IndexedRanges
  private let queries = Mutex<[RangeWay: PreparedQuery]>([:])

  init?(_ sql: QuerySQL) {
    guard let ranges = sql.ranges else { return nil }
    self.ranges = ranges
  }

  func query(_ way: RangeWay, _ make: () -> PreparedQuery) -> PreparedQuery {
    queries.withLock { queries in
      if let known = queries[way] { return known }
      let made = make()
      queries[way] = made
      return made
    }
  }
}
