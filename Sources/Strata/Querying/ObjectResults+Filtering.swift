import Foundation
import StrataQuery
import StrataStorage

extension ObjectResults {
  /// The objects for which a condition is true too.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a condition that this schema can't answer.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    let resolver = PredicateResolver(session.store.tableSet.querySchema, file: session.file)
    let resolved = try reporting { () throws(PredicateProblem) in
      let resolved = try resolver.resolve(predicate, ofObjects: queryClass)
      try resolved.checkDepth()
      return resolved
    }
    return try changing(queryClass) { $0.add(resolved) }
  }

  /// The same objects in another order; those that are equal in it keep their order.
  ///
  /// - Throws: ``RealmError`` with code `fail` unless each is a property with a single value.
  func sorted(by descriptors: some Sequence<SortDescriptor>) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    var keys: [QuerySortKey] = []
    for descriptor in descriptors {
      keys.append(
        QuerySortKey(
          try path(descriptor.keyPath, queryClass, to: "sort"), ascending: descriptor.ascending))
    }
    return keys.isEmpty ? self : try changing(queryClass) { $0.add(.sort(keys)) }
  }

  /// The first objects of those with the same values of some properties.
  ///
  /// - Throws: ``RealmError`` with code `fail` unless each is a property with a single value.
  func distinct(by keyPaths: some Sequence<String>) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    var paths: [ResolvedPath] = []
    for keyPath in keyPaths { paths.append(try path(keyPath, queryClass, to: "distinct")) }
    return paths.isEmpty ? self : try changing(queryClass) { $0.add(.distinct(paths)) }
  }

  /// So many of the objects, after so many that are left out.
  ///
  /// - Throws: ``RealmError`` with code `fail` when too many limits follow each other.
  func limited(to count: Int, offset: Int) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    let limit = QueryLimit(count: Int64(max(0, count)), offset: Int64(max(0, offset)))
    return try changing(queryClass) { $0.add(limit) }
  }

  /// The class as queries see it; nil for one that the realm doesn't have, which has no objects.
  private var queryClass: QueryClass? {
    session.store.tableSet.querySchema[query.table.info.className]
  }

  private func changing(
    _ queryClass: QueryClass, _ change: (inout QueryRequest) -> Void
  ) throws(RealmError) -> ObjectResults {
    let changed = try reporting { () throws(PredicateProblem) in
      try query.changing(queryClass, change)
    }
    return ObjectResults(changed, session)
  }

  private func path(
    _ keyPath: String, _ queryClass: QueryClass, to verb: String
  ) throws(RealmError) -> ResolvedPath {
    let resolver = OrderPathResolver(session.store.tableSet.querySchema, verb: verb)
    return try reporting { () throws(PredicateProblem) in
      try resolver.resolve(keyPath, of: queryClass)
    }
  }

  private func reporting<Result>(
    _ body: () throws(PredicateProblem) -> Result
  ) throws(RealmError) -> Result {
    do throws(PredicateProblem) {
      return try body()
    } catch {
      throw RealmError(error, fileURL: session.store.file.url)
    }
  }
}

extension RealmError {
  init(_ problem: PredicateProblem, fileURL: URL? = nil) {
    self.init(.fail, problem.message, logged: problem.loggedMessage, fileURL: fileURL)
  }
}
