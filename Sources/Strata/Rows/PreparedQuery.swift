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

/// The statements that the same query may be asked for again.
struct QueryTexts: Sendable {
  enum Kind {
    case first, last, count
  }

  private var first: String?
  private var last: String?
  private var count: String?

  mutating func text(_ kind: Kind, _ make: () -> String) -> String {
    switch kind {
    case .first: Self.text(&first, make)
    case .last: Self.text(&last, make)
    case .count: Self.text(&count, make)
    }
  }

  private static func text(_ known: inout String?, _ make: () -> String) -> String {
    if let known { return known }
    let text = make()
    known = text
    return text
  }
}

/// The prepared queries of a class, by the shapes of conditions.
final class PreparedQueries: Sendable {
  /// That of all objects.
  let all: PreparedQuery
  private let queries = Mutex<[QueryShape: PreparedQuery]>([:])
  /// A program that makes conditions of ever new shapes must not fill the memory.
  static let most = 256

  init(ofAll sql: QuerySQL) { all = PreparedQuery(sql, isRestricted: false) }

  subscript(_ shape: QueryShape) -> PreparedQuery? { queries.withLock { $0[shape] } }

  var count: Int { queries.withLock { $0.count } }

  /// Remembers the SQL of a condition for others of its shape, where it is the same for them.
  func add(
    _ sql: QuerySQL, _ shape: QueryShape, _ constants: [StoredValue],
    _ resolved: ResolvedPredicate
  ) {
    // Which parameter is which constant can be told only where all of them differ.
    guard resolved.hasSQL(ofAll: shape), sql.parameters == constants,
      Set(constants).count == constants.count
    else { return }
    queries.withLock { queries in
      if queries.count >= Self.most { queries.removeAll() }
      queries[shape] = PreparedQuery(sql, isRestricted: true)
    }
  }
}
