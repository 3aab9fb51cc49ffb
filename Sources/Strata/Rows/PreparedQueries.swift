import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The prepared queries of a class, by the shapes of conditions.
final class PreparedQueries: Sendable {
  /// That of all objects.
  let all: PreparedQuery
  /// The query of all objects.
  let allCompiled: CompiledQuery
  private let queries = Mutex<[QueryShape: PreparedQuery]>([:])

  /// A program that makes conditions of ever new shapes must not fill the memory.
  static let most = 256

  init(ofAll sql: QuerySQL) {
    all = PreparedQuery(sql, isRestricted: false)
    allCompiled = CompiledQuery(all)
  }

  subscript(_ shape: QueryShape) -> PreparedQuery? { queries.withLock { $0[shape] } }

  var count: Int { queries.withLock { $0.count } }

  /// Remembers the SQL of a condition for others of its shape, where it is the same for them.
  ///
  /// - Parameters:
  ///   - sql: Made only for a condition that may be remembered.
  ///   - resolver: The one that has resolved the condition.
  /// - Returns: The prepared query; nil where it is another one for each constant.
  func add(
    _ sql: @autoclosure () -> QuerySQL, _ shape: QueryShape, _ constants: [StoredValue],
    _ resolved: ResolvedPredicate, _ resolver: ShapeResolver
  ) -> PreparedQuery? {
    // Which parameter is which constant can be told only where all of them differ.
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
