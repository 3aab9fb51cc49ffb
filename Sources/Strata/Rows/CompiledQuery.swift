import StrataQuery
import StrataSchema
import Synchronization

/// The request of a query and its SQL, each made when it is first needed: of conditions that a
/// program adds one after the other, only the last query is asked, and of a prepared
/// condition nothing but the constants is needed.
final class CompiledQuery: Sendable {
  private struct State: Sendable {
    var request: QueryRequest?
    var base: QueryBase?
    var sql: QuerySQL?
    var texts = QueryTexts()

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

  /// The prepared query that this one is, with constants of its own.
  let prepared: PreparedQuery?
  private let constants: [StoredValue]
  /// Makes the request of a prepared query, for who asks for more of it than its SQL.
  private let resolve: @Sendable () -> QueryRequest
  private let state: Mutex<State>
  /// Whether anything but all rows of a source in their own order is asked for.
  let hasRequest: Bool

  /// All rows of a source in their own order.
  init(_ sql: QuerySQL) {
    (prepared, constants, resolve, hasRequest) = (nil, [], { QueryRequest() }, false)
    state = Mutex(State(request: QueryRequest(), sql: sql))
  }

  /// All objects of a class in their own order.
  init(_ all: PreparedQuery) {
    (prepared, constants, resolve, hasRequest) = (all, [], { QueryRequest() }, false)
    state = Mutex(State())
  }

  init(_ request: QueryRequest, _ base: QueryBase) {
    (prepared, constants, resolve, hasRequest) = (nil, [], { QueryRequest() }, true)
    state = Mutex(State(request: request, base: base))
  }

  /// Objects of a class, with a condition or in another order.
  init(
    _ prepared: PreparedQuery, _ constants: [StoredValue],
    resolving resolve: @escaping @Sendable () -> QueryRequest
  ) {
    (self.prepared, self.constants, self.resolve, hasRequest) = (prepared, constants, resolve, true)
    state = Mutex(State())
  }

  var request: QueryRequest {
    if let request = state.withLock({ $0.request }) { return request }
    // Not under the lock, which others wait for.
    let request = resolve()
    state.withLock { $0.request = request }
    return request
  }

  var sql: QuerySQL {
    if let prepared {
      var sql = prepared.sql
      sql.parameters = constants
      return sql
    }
    return state.withLock { $0.compiled() }
  }

  var parameters: [StoredValue] {
    prepared == nil ? state.withLock { $0.compiled().parameters } : constants
  }

  /// A statement of the query, made once.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> String {
    if let prepared { return prepared.text(kind, make) }
    return state.withLock { state in
      let sql = state.compiled()
      return state.texts.text(kind) { make(sql) }
    }
  }
}
