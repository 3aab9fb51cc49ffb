import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The SQL of a query, and its statements, each made at first use.
final class PreparedQuery: Sendable {
  enum Kind {
    case first, last, count, exists, extent, deletion
  }

  /// The SQL, with the constants of the first condition.
  let sql: QuerySQL
  /// Whether the query is expected to run often.
  private let isKept: Bool
  private let texts = Mutex<[Kind: StatementText]>([:])

  init(_ sql: QuerySQL, isKept: Bool = false) {
    self.sql = sql
    self.isKept = isKept
  }

  func text(_ kind: Kind, _ make: (QuerySQL) -> String) -> StatementText {
    texts.withLock { texts in
      if let known = texts[kind] { return known }
      let text = StatementText(make(sql), isKept: isKept)
      texts[kind] = text
      return text
    }
  }
}

/// The queries for all objects of a class, and for conditions, also with other constants.
final class QueryCache: Sendable {
  /// A property to sort by, as programs name it.
  struct SortKey: Sendable, Hashable {
    var keyPath: String
    var ascending: Bool
  }

  struct Key: Sendable, Hashable {
    /// The shape of the condition; nil for all objects.
    var shape: QueryShape?
    /// The order; empty for the order of the identities.
    var order: [SortKey] = []
    /// The way to the rows of a range.
    var way = RangeWay.usual
  }

  /// The query for all objects in the order of their identities.
  let all: CompiledQuery
  private let queries = Mutex<[Key: PreparedQuery]>([:])

  /// The limit of queries: a program may make ever new conditions and orders.
  static let maxCount = 1_024

  init(ofAll sql: QuerySQL) {
    all = CompiledQuery(PreparedQuery(sql, isKept: true), Key())
  }

  subscript(_ key: Key) -> PreparedQuery? { queries.withLock { $0[key] } }

  var count: Int { queries.withLock { $0.count } }

  func add(_ sql: QuerySQL, _ key: Key) -> PreparedQuery {
    let prepared = PreparedQuery(sql, isKept: true)
    queries.withLock { queries in
      if queries.count >= Self.maxCount { queries.removeAll() }
      queries[key] = prepared
    }
    return prepared
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
