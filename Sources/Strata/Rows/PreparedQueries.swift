import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The prepared queries of a class, by the shapes of conditions.
final class PreparedQueries: Sendable {
  /// The unfiltered query.
  let all: PreparedQuery
  /// The unfiltered query, compiled.
  let allCompiled: CompiledQuery
  private let queries = Mutex<[QueryShape: PreparedQuery]>([:])

  /// The limit of prepared queries: a program may make conditions of ever new shapes.
  static let most = 256

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
      if queries.count >= Self.most { queries.removeAll() }
      queries[shape] = query
    }
    return query
  }
}
