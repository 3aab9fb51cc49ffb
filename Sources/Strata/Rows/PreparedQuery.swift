import StrataQuery
import StrataSchema
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
  private let texts = Mutex(QueryTexts())
  private let sorted = Mutex<[[SortKey]: PreparedQuery]>([:])
  private static let mostOrders = 64

  init(_ sql: QuerySQL, isRestricted: Bool, isByIdentity: Bool = true) {
    self.sql = sql
    self.isRestricted = isRestricted
    self.isByIdentity = isByIdentity
  }

  /// The same objects in another order; nil when its SQL isn't known.
  subscript(_ order: [SortKey]) -> PreparedQuery? { sorted.withLock { $0[order] } }

  /// Remembers the SQL of the same objects in another order, if that has no values of its own. Not
  /// of those that are in such an order already: programs may go on sorting for ever.
  func add(_ sql: QuerySQL, _ order: [SortKey], _ constants: [StoredValue]) {
    guard isByIdentity, sql.parameters == constants else { return }
    sorted.withLock { sorted in
      if sorted.count >= Self.mostOrders { sorted.removeAll() }
      sorted[order] = PreparedQuery(sql, isRestricted: isRestricted, isByIdentity: false)
    }
  }

  /// A statement, made when it is first needed.
  func text(_ kind: QueryTexts.Kind, _ make: (QuerySQL) -> String) -> String {
    texts.withLock { $0.text(kind) { make(sql) } }
  }
}
