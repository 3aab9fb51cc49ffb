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

  /// - Parameter resolver: The resolver for the shape of the condition.
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
