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
      return prepared(recent.query, recent.constants, .condition(predicate))
    }
    let shaped = isUnchanged ? QueryShape.of(predicate) : nil
    if let shaped, let known = query.table.preparedQueries[shaped.shape] {
      return prepared(known, shaped.constants, .condition(predicate))
    }
    guard let queryClass else { return self }
    let schema = session.store.tableSet.querySchema
    let resolver = PredicateResolver(schema, file: session.file)
    let resolved = try reporting { () throws(PredicateProblem) in
      let resolved = try resolver.resolve(predicate, ofObjects: queryClass)
      try resolved.checkDepth()
      return resolved
    }
    let results = try changing(queryClass) { $0.add(resolved) }
    guard let shaped,
      let made = query.table.preparedQueries.add(
        results.query.sql, shaped.shape, shaped.constants, resolved,
        ShapeResolver(schema: schema, queryClass: queryClass))
    else { return results }
    return prepared(made, shaped.constants, .condition(predicate))
  }

  /// The results of conditions that have the shape of some of the last; nil for others.
  func known(_ conditions: PropertyConditions) -> ObjectResults? {
    guard query.isUnchanged, let recent = query.table.preparedQueries.recent(conditions) else {
      return nil
    }
    return prepared(recent.query, recent.constants, .conditions(conditions))
  }

  /// The results of a condition whose SQL is prepared.
  private func prepared(
    _ known: PreparedQuery, _ constants: [StoredValue], _ asked: PreparedRequest
  ) -> ObjectResults {
    ObjectResults(
      ObjectQuery(query.table, known, constants, asked), session, generation: generation)
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
    let query = ObjectQuery(
      unsorted.table, known, unsorted.parameters,
      .made {
        var request = unsorted.request
        request.add(.sort(Self.knownKeys(descriptors, unsorted.table, tables.querySchema)))
        return request
      })
    return ObjectResults(query, session, generation: generation)
  }

  /// The keys of descriptors that had no problem before.
  private static func knownKeys(
    _ descriptors: [SortDescriptor], _ table: Table, _ schema: QuerySchema
  ) -> [QuerySortKey] {
    guard let queryClass = schema[table.info.className] else { return [] }
    do throws(PredicateProblem) {
      return try keys(descriptors, queryClass, schema)
    } catch {
      stopForProgrammerError(error.message)
    }
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
    return ObjectResults(changed, session, generation: generation)
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
