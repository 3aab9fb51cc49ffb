import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The request of a query and its SQL, each made at first use: when a program adds conditions one
/// after the other, only the last query runs. A prepared condition needs only its constants.
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

  /// The prepared query behind this one, if any.
  let prepared: PreparedQuery?
  /// The values of its parameters.
  private let constants: [StoredValue]
  /// The conditions and orders of a prepared query.
  private let asked: PreparedRequest
  /// Nil for a prepared query until its request is needed.
  private let state: Mutex<State?>

  private init(_ state: State) {
    prepared = nil
    constants = []
    asked = .all
    self.state = Mutex(state)
  }

  /// Compiles a source without further conditions, in its own order.
  convenience init(_ sql: QuerySQL) { self.init(State(request: QueryRequest(), sql: sql)) }

  convenience init(_ request: QueryRequest, _ base: QueryBase) {
    self.init(State(request: request, base: base))
  }

  /// Creates a query for objects of a class whose SQL is prepared.
  init(
    _ query: PreparedQuery, _ constants: [StoredValue] = [], _ asked: PreparedRequest = .all
  ) {
    prepared = query
    self.constants = constants
    self.asked = asked
    state = Mutex(nil)
  }

  var request: QueryRequest {
    if let request = state.withLock({ $0?.request }) { return request }
    // Outside of the lock, because other threads wait for it.
    let request = asked.request(prepared?.resolver)
    state.withLock { $0 = State(request: request) }
    return request
  }

  var sql: QuerySQL {
    guard let prepared else { return withState { $0.compiled() } }
    var sql = prepared.sql
    sql.parameters = constants
    return sql
  }

  /// The alternative ways to the rows, if there are several.
  var ways: RangeWays? {
    if let prepared { return prepared.ways }
    return withState { state in
      if let ways = state.ways { return ways }
      let ways = RangeWays(state.compiled())
      state.ways = .some(ways)
      return ways
    }
  }

  var parameters: [StoredValue] {
    prepared == nil ? withState { $0.compiled().parameters } : constants
  }

  /// A statement of the query, made at first use.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> StatementText {
    if let prepared { return prepared.text(kind, make) }
    return withState { state in
      let sql = state.compiled()
      return state.texts.text(kind) { make(sql) }
    }
  }

  /// Runs a closure with the state of a query that isn't prepared.
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      var made = state.take() ?? State()
      defer { state = made }
      return body(&made)
    }
  }
}
