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
    /// The last that were asked for, the last one first: most conditions have the shape of one of
    /// them, and to find that out takes a fifth of making a shape and hashing it.
    private var recent: [(shape: QueryShape, query: PreparedQuery)] = []

    /// - Parameters:
    ///   - most: How many to compare with.
    ///   - constants: Those of the condition, if it has a shape.
    mutating func recent(
      _ most: Int, _ constants: (QueryShape) -> [StoredValue]?
    ) -> (PreparedQuery, [StoredValue])? {
      for index in 0..<min(most, recent.count) {
        guard let constants = constants(recent[index].shape) else { continue }
        let query = recent[index].query
        if index > 0 { recent.swapAt(index, index - 1) }
        return (query, constants)
      }
      return nil
    }

    mutating func query(of shape: QueryShape) -> PreparedQuery? {
      guard let query = queries[shape] else { return nil }
      recent.removeAll { $0.query === query }
      if recent.count == PreparedQueries.mostRecent { recent.removeLast() }
      recent.insert((shape, query), at: 0)
      return query
    }

    mutating func add(_ query: PreparedQuery, _ shape: QueryShape) {
      if queries.count >= PreparedQueries.most { self = Known() }
      queries[shape] = query
    }
  }

  /// A program that makes conditions of ever new shapes must not fill the memory.
  static let most = 256
  /// To compare conditions without a tree takes some thirty instructions.
  fileprivate static let mostRecent = 8
  /// To go through a tree takes some hundreds.
  private static let mostRecentTrees = 2

  init(ofAll sql: QuerySQL, _ identity: String) {
    greatest = StatementText(sql.aggregate("ifnull(max(t.\(identity)), \(Int64.min))"))
    all = PreparedQuery(sql, isRestricted: false)
    allCompiled = CompiledQuery(all)
  }

  subscript(_ shape: QueryShape) -> PreparedQuery? { known.withLock { $0.query(of: shape) } }

  /// The prepared query of a condition, with its constants, if it has the shape of one of the last.
  func recent(_ predicate: QueryPredicate) -> (query: PreparedQuery, constants: [StoredValue])? {
    known.withLock { $0.recent(Self.mostRecentTrees) { $0.constants(of: predicate) } }
  }

  /// The same of comparisons.
  func recent(
    _ conditions: PropertyConditions
  ) -> (query: PreparedQuery, constants: [StoredValue])? {
    known.withLock { $0.recent(Self.mostRecent) { $0.constants(of: conditions) } }
  }

  var count: Int { known.withLock { $0.queries.count } }

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
    known.withLock { $0.add(query, shape) }
    return query
  }
}
