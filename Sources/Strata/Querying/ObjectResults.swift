import Foundation
import IssueReporting
import StrataQuery
import StrataStorage
import Synchronization

/// The objects that a query finds in a realm.
final class ObjectResults {
  let session: Session
  var reader: Session { session.reader }
  let query: ObjectQuery
  /// The session's generation at query time; inherited by derived results.
  let generation: UInt32
  // Locks, because several threads may read frozen results.
  private let lock = Mutex(())
  /// The rows and objects read by position. Nil at first: most results are only asked for one
  /// object or a count.
  // guarded by: the lock.
  private var known: Known?

  private final class Known {
    /// The row identities, for access by position.
    var rows: (all: RowSequence, stamp: _CollectionRows.Stamp)?
    var window = ObjectWindow()
    /// The key of the query for tracked reads, built once.
    var key: String?
  }

  /// Runs a closure with the cached values, under the lock.
  private func withKnown(_ body: (Known) -> Void) {
    lock.withLock { _ in
      let known = known ?? Known()
      self.known = known
      body(known)
    }
  }

  /// - Parameter generation: The generation of the queried object, if it isn't the current one.
  init(_ query: ObjectQuery, _ session: Session, generation: UInt32? = nil) {
    self.query = query
    self.session = session
    self.generation = generation ?? session.generation
  }

  /// Whether the session has been invalidated since.
  var isInvalidated: Bool { session.generation != generation }

  /// Whether there can be objects.
  private var isReadable: Bool {
    recordRead()
    return query.table.exists && !isInvalidated
  }

  /// Records a read of the objects and their order, for tracked reads.
  func recordRead() {
    guard query.table.exists else { return }
    session.reads?.recordMembers(of: query, key: key)
  }

  private var key: String {
    var key = ""
    withKnown { known in
      key = known.key ?? "\(query.select("")) \(query.parameters)"
      known.key = key
    }
    return key
  }

  var count: Int {
    guard isReadable else { return 0 }
    let session = reader
    let query = query.fastest(for: .values([]), in: session)
    return session.value(query.count, query.parameters)?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  var isEmpty: Bool {
    guard isReadable else { return true }
    let session = reader
    let query = query.fastest(for: .values([]), in: session)
    return session.value(query.exists, query.parameters)?.integer != 1
  }

  func one(last: Bool) -> ObjectBase? {
    recordRead()
    if isInvalidated || !query.table.exists { return nil }
    let session = reader
    return session.object(of: query.fastest(for: .first, in: session), last: last)
  }

  /// Returns a cursor over the objects; nil if the session was invalidated.
  func cursor() -> ObjectCursor? {
    recordRead()
    if isInvalidated { return nil }
    let isThere = query.table.exists
    let session = reader
    return ObjectCursor(isThere ? query.fastest(for: .objects, in: session) : query, session)
  }

  /// Returns the object at a position, or nil.
  ///
  /// If the objects can't be read, reports the error and returns an unmanaged object: a failing
  /// disk is not an error of the program. The same holds for a wrong position after such a failure,
  /// in a transaction that will throw.
  func object(at position: Int) -> ObjectBase? {
    // Doesn't use `reader`, which each step of a loop would retain: reference counting of a session
    // is slow.
    session.looksOld
      ? object(at: position, in: session.acting) : object(at: position, in: session)
  }

  private func object(at position: Int, in session: Session) -> ObjectBase? {
    guard position >= 0, isReadable else { return nil }
    let now = _CollectionRows.Stamp(objectsIn: session)
    var object: ObjectBase?
    lock.withLock { _ in object = known?.window.object(at: position, now) }
    if let object { return object }
    do {
      return try readObjects(from: position, in: session)
    } catch {
      session.report(error)
      return query.table.info.type.init()
    }
  }

  /// Returns the object at a position, and caches some objects after it.
  private func readObjects(
    from position: Int, in session: Session
  ) throws(RealmError) -> ObjectBase? {
    var now = _CollectionRows.Stamp(objectsIn: session)
    let all = try rows(in: session)
    var rows: [Int64] = []
    withKnown { rows = all[$0.window.positions(from: position, now)] }
    guard !rows.isEmpty else {
      return session.transaction?.error == nil ? nil : query.table.info.type.init()
    }
    // Reads outside of the lock, because the thread that has the connection may wait for the lock.
    var objects = try session.objects(rows, in: query.table)
    // After a row that doesn't exist, the positions are wrong.
    let end = zip(objects, rows).prefix { $0._rowID == $1 }.count
    objects.removeSubrange(end...)
    guard let object = objects.first else { return nil }
    now.time = object._stamp
    // The replaced objects are released at the end of this function, outside of the lock: their
    // `deinit` runs code of the program, which may read these results.
    withKnown { $0.window.exchange(&objects, from: position, now) }
    return object
  }

  private func rows(in session: Session) throws(RealmError) -> RowSequence {
    let stamp = _CollectionRows.Stamp(rowsOf: query, in: session)
    var known: RowSequence?
    withKnown { if let rows = $0.rows, rows.stamp == stamp { known = rows.all } }
    if let known { return known }
    let rows = try session.rows(of: query.fastest(for: .objects, in: session))
    withKnown { $0.rows = (rows, stamp) }
    return rows
  }

  func index(of object: ObjectBase) -> Int? {
    guard isReadable, type(of: object) == query.table.info.type,
      object.managedContext?.sharesFile(with: session) == true
    else { return nil }
    let session = reader
    do {
      return try rows(in: session).firstIndex(of: object._rowID)
    } catch {
      session.report(error)
      return nil
    }
  }

  /// Returns a value that SQLite computes from a column; nil if the file has no table for the
  /// class.
  func value(_ expression: String, of column: String) -> StoredValue? {
    guard isReadable else { return nil }
    let session = reader
    let query = query.fastest(for: .values([column]), in: session)
    return session.value(query.aggregate(expression), query.parameters)
  }
}

extension ObjectResults {
  /// Returns the result of an SQL aggregate function over a property, or nil.
  ///
  /// `min` and `max` take numbers and dates, `sum` and `avg` take numbers. Other properties are
  /// reported.
  func aggregate(_ function: Aggregate, _ property: String) -> _StoredElement? {
    let info = query.table.info
    guard let slot = info.slot(property) else {
      let known = info.properties.map(\.name)
      reportIssue("\(ErrorText.invalidPropertyName(property, info.className, known: known))")
      return nil
    }
    guard function.takes(info.properties[slot]), let column = query.table.column(property) else {
      function.reportMisuse(on: info.properties[slot], of: info.className)
      return nil
    }
    let type = info.properties[slot].type
    session.reads?.recordValues(in: query.table)
    let stored = value(Self.expression(function.rawValue, "t.\(column)", type), of: column)
    return stored == .null ? nil : stored?.result(over: type)
  }

  /// Decimals are stored as text. SQLite's `sum` fails when integers overflow, whereas Realm's
  /// wraps around.
  private static func expression(
    _ function: String, _ column: String, _ type: PropertyType
  ) -> String {
    switch (function, type) {
    case (_, .decimal128):
      let name = function == "avg" ? "average" : function
      return "strata_decimal_\(name)(\(column), '\(type.rawValue)')"
    case ("sum", .int): return "strata_sum(\(column))"
    default: return "\(function)(\(column))"
    }
  }
}

extension ObjectResults {
  /// Returns the objects that also meet a condition.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> ObjectResults {
    let shaped = query.key == QueryCache.Key() ? QueryShape.of(predicate) : nil
    let key = shaped.map { QueryCache.Key(shape: $0.shape) }
    if let shaped, let key, let prepared = query.table.queries[key] {
      return cached(prepared, key, shaped.constants, predicate)
    }
    guard let queryClass else { return self }
    let resolver = PredicateResolver(session.store.tableSet.querySchema, file: session.file)
    let resolved = try reporting { () throws(PredicateProblem) in
      let resolved = try resolver.resolve(predicate, ofObjects: queryClass)
      try resolved.checkDepth()
      return resolved
    }
    let results = try changing(queryClass) { $0.add(resolved) }
    // Parameters can be matched with constants only if all constants differ.
    guard let shaped, let key, resolved.hasSQL(ofAll: shaped.shape),
      Set(shaped.constants).count == shaped.constants.count,
      results.query.parameters == shaped.constants
    else { return results }
    let prepared = query.table.queries.add(results.query.sql, key)
    return cached(prepared, key, shaped.constants, predicate)
  }

  /// Returns the results of a condition that has been resolved before, with these constants or
  /// others.
  private func cached(
    _ prepared: PreparedQuery, _ key: QueryCache.Key, _ constants: [StoredValue],
    _ predicate: QueryPredicate
  ) -> ObjectResults {
    cached(prepared, key, constants) { (schema, queryClass) throws(PredicateProblem) in
      var request = QueryRequest()
      request.add(try PredicateResolver(schema).resolve(predicate, ofObjects: queryClass))
      return request
    }
  }

  /// Returns the results of a cached query.
  ///
  /// - Parameter request: Makes the request, which was made without an error before.
  private func cached(
    _ prepared: PreparedQuery, _ key: QueryCache.Key, _ constants: [StoredValue],
    request: @escaping @Sendable (QuerySchema, QueryClass) throws(PredicateProblem) -> QueryRequest
  ) -> ObjectResults {
    let (table, tables) = (query.table, session.store.tableSet)
    let query = ObjectQuery(table, prepared, key, constants) {
      let schema = tables.querySchema
      guard let queryClass = schema[table.info.className] else { return QueryRequest() }
      do throws(PredicateProblem) {
        return try request(schema, queryClass)
      } catch {
        stopForProgrammerError(error.message)
      }
    }
    return ObjectResults(query, session, generation: generation)
  }

  /// Returns the same objects in another order. The sort is stable.
  func sorted(by descriptors: [SortDescriptor]) throws(RealmError) -> ObjectResults {
    guard !descriptors.isEmpty else { return self }
    // Orders of sorted queries aren't cached: programs may sort endlessly.
    var key = query.key.flatMap { $0.order.isEmpty ? $0 : nil }
    key?.order = descriptors.map {
      QueryCache.SortKey(keyPath: $0.keyPath, ascending: $0.ascending)
    }
    if let key, let prepared = query.table.queries[key] {
      return cached(prepared, key, descriptors)
    }
    guard let queryClass else { return self }
    let schema = session.store.tableSet.querySchema
    let keys = try reporting { () throws(PredicateProblem) in
      try Self.keys(descriptors, queryClass, schema)
    }
    let results = try changing(queryClass) { $0.add(.sort(keys)) }
    guard let key, results.query.parameters == query.parameters else { return results }
    return cached(query.table.queries.add(results.query.sql, key), key, descriptors)
  }

  /// Returns the results of this query in an order that has been resolved before.
  private func cached(
    _ prepared: PreparedQuery, _ key: QueryCache.Key, _ descriptors: [SortDescriptor]
  ) -> ObjectResults {
    cached(prepared, key, query.parameters) {
      [query] (schema, queryClass) throws(PredicateProblem) in
      var request = query.request
      request.add(.sort(try Self.keys(descriptors, queryClass, schema)))
      return request
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

  /// Returns the first object of each combination of values of some properties.
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

  /// Skips `offset` objects and returns the next `count`.
  func limited(to count: Int, offset: Int) throws(RealmError) -> ObjectResults {
    guard let queryClass else { return self }
    let limit = QueryLimit(count: Int64(max(0, count)), offset: Int64(max(0, offset)))
    return try changing(queryClass) { $0.add(limit) }
  }

  /// The class in the query schema; nil for a class that isn't in the realm and has no objects.
  var queryClass: QueryClass? {
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

  func reporting<Result>(
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
