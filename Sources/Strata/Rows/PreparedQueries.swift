import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// The prepared queries of a class, by the shapes of conditions.
final class PreparedQueries: Sendable {
  /// That of all objects.
  let all: PreparedQuery
  /// The greatest identity of all objects.
  let greatest: StatementText
  /// The query of all objects.
  let allCompiled: CompiledQuery
  private let known = Mutex(Known())

  private struct Known: Sendable {
    var queries: [QueryShape: PreparedQuery] = [:]
    /// The last two that were asked for: most conditions have the shape of one of them, and to find
    /// that out takes a fifth of making a shape and hashing it.
    var last: (shape: QueryShape, query: PreparedQuery)?
    var beforeLast: (shape: QueryShape, query: PreparedQuery)?

    /// - Parameter constants: Those of the condition, if it has a shape.
    mutating func recent(
      _ constants: (QueryShape) -> [StoredValue]?
    ) -> (PreparedQuery, [StoredValue])? {
      if let last, let constants = constants(last.shape) { return (last.query, constants) }
      guard let found = beforeLast, let constants = constants(found.shape) else { return nil }
      beforeLast = last
      last = found
      return (found.query, constants)
    }

    mutating func query(of shape: QueryShape) -> PreparedQuery? {
      guard let query = queries[shape] else { return nil }
      beforeLast = last
      last = (shape, query)
      return query
    }

    mutating func add(_ query: PreparedQuery, _ shape: QueryShape) {
      if queries.count >= PreparedQueries.most { self = Known() }
      queries[shape] = query
    }
  }

  /// A program that makes conditions of ever new shapes must not fill the memory.
  static let most = 256

  init(ofAll sql: QuerySQL, _ identity: String) {
    greatest = StatementText(sql.aggregate("ifnull(max(t.\(identity)), \(Int64.min))"))
    all = PreparedQuery(sql, isRestricted: false)
    allCompiled = CompiledQuery(all)
  }

  subscript(_ shape: QueryShape) -> PreparedQuery? { known.withLock { $0.query(of: shape) } }

  /// The prepared query of a condition, with its constants, if it has the shape of one of the last.
  func recent(_ predicate: QueryPredicate) -> (query: PreparedQuery, constants: [StoredValue])? {
    known.withLock { $0.recent { $0.constants(of: predicate) } }
  }

  /// The same of a comparison.
  func recent(
    _ comparison: PropertyComparison
  ) -> (query: PreparedQuery, constants: [StoredValue])? {
    known.withLock { $0.recent { $0.constants(of: comparison) } }
  }

  var count: Int { known.withLock { $0.queries.count } }

  /// Remembers the SQL of a condition for others of its shape, where it is the same for them.
  ///
  /// - Parameter sql: Made only for a condition that may be remembered.
  /// - Returns: The prepared query; nil where it is another one for each constant.
  func add(
    _ sql: @autoclosure () -> QuerySQL, _ shape: QueryShape, _ constants: [StoredValue],
    _ resolved: ResolvedPredicate
  ) -> PreparedQuery? {
    // Which parameter is which constant can be told only where all of them differ.
    guard resolved.hasSQL(ofAll: shape), Set(constants).count == constants.count else {
      return nil
    }
    let sql = sql()
    guard sql.parameters == constants else { return nil }
    let query = PreparedQuery(sql, isRestricted: true)
    known.withLock { $0.add(query, shape) }
    return query
  }
}
