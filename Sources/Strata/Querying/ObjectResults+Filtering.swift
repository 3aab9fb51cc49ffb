import Foundation
import StrataQuery
import StrataStorage

extension ObjectResults {
  /// The objects for which a condition is true too.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a condition that this schema can't answer.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> ObjectResults {
    let isUnchanged = query.isUnchanged
    if isUnchanged, let recent = query.table.preparedQueries.recent(predicate) {
      return prepared(recent.query, recent.constants, .tree(predicate))
    }
    let shaped = isUnchanged ? QueryShape.of(predicate) : nil
    if let shaped, let known = query.table.preparedQueries[shaped.shape] {
      return prepared(known, shaped.constants, .tree(predicate))
    }
    guard let queryClass else { return self }
    let resolver = PredicateResolver(session.store.tableSet.querySchema, file: session.file)
    let resolved = try reporting { () throws(PredicateProblem) in
      let resolved = try resolver.resolve(predicate, ofObjects: queryClass)
      try resolved.checkDepth()
      return resolved
    }
    let results = try changing(queryClass) { $0.add(resolved) }
    guard let shaped,
      let made = query.table.preparedQueries.add(
        results.query.sql, shaped.shape, shaped.constants, resolved)
    else { return results }
    return prepared(made, shaped.constants, .tree(predicate))
  }

  /// The results of a condition that has the shape of one of the last; nil for another one.
  func known(_ comparison: PropertyComparison) -> ObjectResults? {
    guard query.isUnchanged, let recent = query.table.preparedQueries.recent(comparison) else {
      return nil
    }
    return prepared(recent.query, recent.constants, .comparison(comparison))
  }

  /// A condition of a known shape.
  private enum Condition: Sendable {
    case tree(QueryPredicate)
    case comparison(PropertyComparison)

    var predicate: QueryPredicate {
      switch self {
      case .tree(let predicate): predicate
      case .comparison(let comparison): comparison.predicate
      }
    }
  }

  /// The results of a condition whose SQL is prepared.
  private func prepared(
    _ known: PreparedQuery, _ constants: [StoredValue], _ condition: Condition
  ) -> ObjectResults {
    let (table, tables) = (query.table, session.store.tableSet)
    let query = ObjectQuery(table, known, constants) {
      Self.request(of: table, tables) { queryClass, schema throws(PredicateProblem) in
        var request = QueryRequest()
        request.add(
          try PredicateResolver(schema).resolve(condition.predicate, ofObjects: queryClass))
        return request
      }
    }
    return ObjectResults(query, session)
  }

  /// The request of a prepared query, which has no problem: another one of the same shape had none.
  private static func request(
    of table: Table, _ tables: TableSet,
    _ resolve: (QueryClass, QuerySchema) throws(PredicateProblem) -> QueryRequest
  ) -> QueryRequest {
    let schema = tables.querySchema
    guard let queryClass = schema[table.info.className] else { return QueryRequest() }
    do throws(PredicateProblem) {
      return try resolve(queryClass, schema)
    } catch {
      stopForProgrammerError(error.message)
    }
  }

  /// The same objects in another order; those that are equal in it keep their order.
  ///
  /// - Throws: ``RealmError`` with code `fail` unless each is a property with a single value.
  func sorted(by descriptors: [SortDescriptor]) throws(RealmError) -> ObjectResults {
    guard !descriptors.isEmpty else { return self }
    let order = descriptors.map {
      PreparedQuery.SortKey(keyPath: $0.keyPath, ascending: $0.ascending)
    }
    if let known = query.prepared?[order] {
      return prepared(known, descriptors)
    }
    guard let queryClass else { return self }
    let schema = session.store.tableSet.querySchema
    let keys = try reporting { () throws(PredicateProblem) in
      try Self.keys(descriptors, queryClass, schema)
    }
    let results = try changing(queryClass) { $0.add(.sort(keys)) }
    let made = query.prepared?.add(results.query.sql, order, query.parameters)
    return made.map { prepared($0, descriptors) } ?? results
  }

  /// The results of this query in an order whose SQL is prepared.
  private func prepared(_ known: PreparedQuery, _ descriptors: [SortDescriptor]) -> ObjectResults {
    let (unsorted, tables) = (query, session.store.tableSet)
    let query = ObjectQuery(unsorted.table, known, unsorted.parameters) {
      Self.request(of: unsorted.table, tables) { queryClass, schema throws(PredicateProblem) in
        var request = unsorted.request
        request.add(.sort(try Self.keys(descriptors, queryClass, schema)))
        return request
      }
    }
    return ObjectResults(query, session)
  }

  private static func keys(
    _ descriptors: [SortDescriptor], _ queryClass: QueryClass, _ schema: QuerySchema
  ) throws(PredicateProblem) -> [QuerySortKey] {
    let resolver = OrderPathResolver(schema, verb: "sort")
    var keys: [QuerySortKey] = []
    for descriptor in descriptors {
      keys.append(
        QuerySortKey(
          try resolver.resolve(descriptor.keyPath, of: queryClass),
          ascending: descriptor.ascending))
    }
    return keys
  }

  /// The first objects of those with the same values of some properties.
  ///
  /// - Throws: ``RealmError`` with code `fail` unless each is a property with a single value.
  func distinct(by keyPaths: some Sequence<String>) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    let resolver = OrderPathResolver(session.store.tableSet.querySchema, verb: "distinct")
    let paths = try reporting { () throws(PredicateProblem) in
      var paths: [ResolvedPath] = []
      for keyPath in keyPaths { paths.append(try resolver.resolve(keyPath, of: queryClass)) }
      return paths
    }
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
