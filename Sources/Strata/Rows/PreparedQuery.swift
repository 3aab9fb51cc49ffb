import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The SQL of all objects of a class, or of those with a condition of one shape, in some order.
final class PreparedQuery: Sendable {
  /// A property to sort by, as programs name it.
  struct SortKey: Sendable, Hashable {
    var keyPath: String
    var ascending: Bool
  }

  /// With the constants of the first condition.
  let sql: QuerySQL
  /// Whether a condition leaves objects out.
  let isRestricted: Bool
  /// Whether the objects are in the order of their identities.
  let isByIdentity: Bool
  /// The ways to its rows, where there are several.
  let ways: RangeWays?
  /// That of the shape of its conditions; nil without conditions, and for another order or way.
  let resolver: ShapeResolver?
  private let texts: Mutex<QueryTexts>
  private let sorted = Mutex<[[SortKey]: PreparedQuery]>([:])
  private static let mostOrders = 64

  /// - Parameter isKept: Whether it is asked again and again.
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

  /// The same objects in another order; nil when its SQL isn't known.
  subscript(_ order: [SortKey]) -> PreparedQuery? { sorted.withLock { $0[order] } }

  /// Remembers the SQL of the same objects in another order, if that has no values of its own. Not
  /// of those that are in such an order already: programs may go on sorting for ever.
  ///
  /// - Returns: The prepared query; nil when it isn't remembered.
  func add(
    _ sql: QuerySQL, _ order: [SortKey], _ constants: [StoredValue]
  ) -> PreparedQuery? {
    guard isByIdentity, sql.parameters == constants else { return nil }
    let query = PreparedQuery(sql, isRestricted: isRestricted, isByIdentity: false)
    sorted.withLock { sorted in
      if sorted.count >= Self.mostOrders { sorted.removeAll() }
      sorted[order] = query
    }
    return query
  }

  /// A statement, made when it is first needed.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> StatementText {
    texts.withLock { $0.text(kind) { make(sql) } }
  }
}

/// The conditions and orders of a prepared query: its SQL says them already, and most uses need no
/// more than that.
enum PreparedRequest: Sendable {
  /// All objects of the class.
  case all
  case condition(QueryPredicate)
  /// Conditions and orders that are put together when they are asked for.
  case made(@Sendable () -> QueryRequest)

  /// - Parameter resolver: That of the shape of the condition.
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
      // Another condition of the same shape had no problem.
      stopForProgrammerError(error.message)
    }
  }
}

/// The class and its schema in which the conditions of a shape are resolved.
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
