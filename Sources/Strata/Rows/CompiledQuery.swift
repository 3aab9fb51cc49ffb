import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The request of a query and its SQL, each made when it is first needed: of conditions that a
/// program adds one after the other, only the last query is asked, and of a prepared
/// condition nothing but the constants is needed.
final class CompiledQuery: Sendable {
  private struct State: Sendable {
    var request: QueryRequest?
    var base: QueryBase?
    var sql: QuerySQL?
    var texts = QueryTexts(areKept: false)
    var ways: RangeWays??

    mutating func compiled() -> QuerySQL {
      if let sql { return sql }
      guard let request, let base else {
        stopForProgrammerError("A query has neither a request nor prepared SQL.")
      }
      let sql = request.compiled(for: base)
      self.sql = sql
      return sql
    }
  }

  /// A prepared query with constants of its own.
  private struct Prepared: Sendable {
    let query: PreparedQuery
    let constants: [StoredValue]
    /// Makes the request, for who asks for more than the SQL.
    let resolve: @Sendable () -> QueryRequest
  }

  private let known: Prepared?
  private let state: Mutex<State>

  /// All rows of a source in their own order.
  init(_ sql: QuerySQL) {
    known = nil
    state = Mutex(State(request: QueryRequest(), sql: sql))
  }

  init(_ request: QueryRequest, _ base: QueryBase) {
    known = nil
    state = Mutex(State(request: request, base: base))
  }

  /// Objects of a class whose SQL is prepared.
  init(
    _ query: PreparedQuery, _ constants: [StoredValue] = [],
    resolving resolve: @escaping @Sendable () -> QueryRequest = { QueryRequest() }
  ) {
    known = Prepared(query: query, constants: constants, resolve: resolve)
    state = Mutex(State())
  }

  /// The prepared query that this one is.
  var prepared: PreparedQuery? { known?.query }

  var request: QueryRequest {
    if let request = state.withLock({ $0.request }) { return request }
    // Not under the lock, which others wait for.
    let request = known?.resolve() ?? QueryRequest()
    state.withLock { $0.request = request }
    return request
  }

  var sql: QuerySQL {
    guard let known else { return state.withLock { $0.compiled() } }
    var sql = known.query.sql
    sql.parameters = known.constants
    return sql
  }

  /// The ways to its rows, where there are several.
  var ways: RangeWays? {
    if let known { return known.query.ways }
    return state.withLock { state in
      if let ways = state.ways { return ways }
      let ways = RangeWays(state.compiled())
      state.ways = .some(ways)
      return ways
    }
  }

  var parameters: [StoredValue] {
    known?.constants ?? state.withLock { $0.compiled().parameters }
  }

  /// A statement of the query, made once.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> StatementText {
    if let prepared { return prepared.text(kind, make) }
    return state.withLock { state in
      let sql = state.compiled()
      return state.texts.text(kind) { make(sql) }
    }
  }
}
