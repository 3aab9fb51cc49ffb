import IssueReporting
import StrataQuery
import StrataStorage

/// The values of some properties of many objects, read from the file without creating objects.
///
/// A loop, and each call of ``all()``, runs one query. The values are from one snapshot, in the
/// order of the objects; inside of `write` they include the changes made so far. All values are
/// loaded into memory, with at least eight bytes per value.
///
/// ```swift
/// let people = realm.objects(Person.self).where { $0.age > 17 }.sorted(by: \.name)
/// for (name, city) in people.values(\.name, \.address?.city) { print(name, city ?? "") }
/// let names: [String] = people.values(\.name).all()
/// ```
///
/// A stored value of another type than its property is reported through `IssueReporting` and
/// replaced by the default value of the type. If the file can't be read, the error is reported as
/// well, and there are no values; ``load(isolation:fileID:line:)`` throws the error instead.
public struct ObjectValues<Element>: Sequence {
  @usableFromInline let rows: _ValueRows?
  /// The values of unmanaged objects.
  @usableFromInline let inMemory: [Element]
  /// Decodes the values of the current row of an `sqlite3_stmt *`.
  @usableFromInline let decode: (OpaquePointer, _ValueRows) -> Element

  @usableFromInline
  init(
    _ rows: _ValueRows?, inMemory: [Element],
    _ decode: @escaping (OpaquePointer, _ValueRows) -> Element
  ) {
    self.rows = rows
    self.inMemory = inMemory
    self.decode = decode
  }

  public func makeIterator() -> IndexingIterator<[Element]> { all().makeIterator() }

  /// Returns all values as an array.
  @inlinable
  public func all() -> [Element] {
    guard let rows else { return inMemory }
    do {
      return try Self.read(rows, decode)
    } catch {
      rows.report(error)
      return []
    }
  }

  @inlinable
  static func read(
    _ rows: _ValueRows, _ decode: (OpaquePointer, _ValueRows) -> Element
  ) throws -> [Element] {
    var values: [Element] = []
    try rows.read { values.append(decode($0, rows)) }
    return values
  }
}

extension ObjectValues where Element: Sendable {
  /// Reads the current values on another thread.
  ///
  /// Inside of `write`, returns the values from before the transaction.
  ///
  /// ```swift
  /// let names = try await realm.objects(Person.self).values(\.name).load()
  /// ```
  /// - Throws: ``Realm/Error`` when the file can't be read.
  public func load(
    isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, line: UInt = #line
  ) async throws -> [Element] {
    guard let rows, !rows.isInvalidated else { return inMemory }
    let frozen = try rows.frozen(at: CodeLocation(fileID: fileID, line: line))
    // The closure reads columns, and keeps nothing.
    nonisolated(unsafe) let decode = decode
    return try await Task.detached { try Self.read(frozen, decode) }.value
  }
}

/// The rows of a query, for reading values of properties; for the library only.
public final class _ValueRows: @unchecked Sendable {
  // guarded by: nothing; immutable. Rows that aren't frozen are used at the place of their session.
  private let objects: ObjectResults
  /// The key paths; nil for one that leads to no property.
  private let keyPaths: [String?]

  init(_ objects: ObjectResults, _ keyPaths: [String?]) {
    self.objects = objects
    self.keyPaths = keyPaths
  }

  /// Runs a closure for each row of a statement, an `sqlite3_stmt *` with two columns for each
  /// value: the value, and the type of an `AnyRealmValue`.
  @usableFromInline
  func read(_ body: (OpaquePointer) -> Void) throws {
    var names: [String] = []
    for keyPath in keyPaths {
      guard let keyPath else {
        throw RealmError(
          .fail,
          """
          Cannot read values of '\(objects.query.table.info.className)': key path \
          \(names.count + 1) leads to no property that the file has. Name '@Persisted' \
          properties, or go through the objects.
          """)
      }
      names.append(keyPath)
    }
    try objects.readValues(names, body)
  }

  @inlinable @inline(__always)
  func next<Value: RealmCollectionValue>(
    _ type: Value.Type, _ columns: inout _ValueColumns
  ) -> Value {
    if let value = columns.next(type) { return value }
    reportUnreadable(columns.index - 2)
    return Value._zeroElement()
  }

  var isInvalidated: Bool { objects.isInvalidated }

  func frozen(at location: CodeLocation) throws(RealmError) -> _ValueRows {
    try objects.session.checkPlace()
    let session = try objects.session.frozen(at: location)
    return _ValueRows(ObjectResults(objects.query, session), keyPaths)
  }

  @usableFromInline
  func report(_ error: any Error) {
    let error = RealmError(error, at: objects.session.store.file.url)
    // An error of the program is recorded, as in a sort order. A file that can't be read is
    // reported.
    if error.code == .fail { objects.session.record(error) } else { objects.session.report(error) }
  }

  @usableFromInline
  func reportUnreadable(_ column: Int32) {
    let name = "\(objects.query.table.info.className).\(keyPaths[Int(column) / 2] ?? "")"
    reportIssue(
      """
      '\(name)' of a row holds no value of its type, and reads as its zero. Another program wrote \
      it, or an enum lost a case: 'Realm.problems(for:)' names the row.
      """)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the values of some properties, read without creating objects. This is the fast way to
  /// read one or two properties of many objects.
  ///
  /// Key paths may lead through links (`\.company?.name`), and must end at a property with a single
  /// value that is not an object. If an index contains all of the columns, SQLite reads only the
  /// index.
  ///
  /// ```swift
  /// var total = 0
  /// for (price, count) in items.values(\.price, \.count) { total += price * count }
  /// ```
  ///
  /// A key path that computes a value, or leads through a collection, is an error and gives no
  /// values. Inside of `write`, the transaction throws the error; elsewhere it is reported through
  /// `IssueReporting`.
  @inlinable
  public func values<each Value: RealmCollectionValue>(
    _ keyPath: repeat KeyPath<Element, each Value>
  ) -> ObjectValues<(repeat each Value)> {
    var keyPaths: [PartialKeyPath<Element>] = []
    for path in repeat each keyPath { keyPaths.append(path) }
    let rows = _valueRows(keyPaths)
    let inMemory = rows == nil ? map { object in (repeat object[keyPath: each keyPath]) } : []
    return ObjectValues(rows, inMemory: inMemory) { statement, rows in
      var columns = _ValueColumns(statement)
      return (repeat rows.next((each Value).self, &columns))
    }
  }

  /// Returns the values of one property of the objects, like `values(_:)` for several properties.
  @inlinable
  public func values<Value: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Value>
  ) -> ObjectValues<Value> {
    let rows = _valueRows([keyPath])
    let inMemory = rows == nil ? map { $0[keyPath: keyPath] } : []
    return ObjectValues(rows, inMemory: inMemory) { statement, rows in
      var columns = _ValueColumns(statement)
      return rows.next(Value.self, &columns)
    }
  }

  /// Returns the values of two properties of the objects, like `values(_:)` for any number of
  /// properties. The compiler specializes this one.
  @inlinable
  public func values<First: RealmCollectionValue, Second: RealmCollectionValue>(
    _ first: KeyPath<Element, First>, _ second: KeyPath<Element, Second>
  ) -> ObjectValues<(First, Second)> {
    let rows = _valueRows([first, second])
    let inMemory = rows == nil ? map { ($0[keyPath: first], $0[keyPath: second]) } : []
    return ObjectValues(rows, inMemory: inMemory) { statement, rows in
      var columns = _ValueColumns(statement)
      return (rows.next(First.self, &columns), rows.next(Second.self, &columns))
    }
  }

  /// Returns the rows of managed objects; nil for other objects.
  @usableFromInline
  func _valueRows(_ keyPaths: [PartialKeyPath<Element>]) -> _ValueRows? {
    guard case .objects(let objects) = _results.source else { return nil }
    return _ValueRows(objects, keyPaths.map { keyPathString(of: $0) })
  }
}

extension ObjectResults {
  /// Runs a closure for each row of the statement that selects values of the objects.
  ///
  /// - Throws: ``RealmError``, with code `fail` for a key path that doesn't lead to a single value.
  func readValues(
    _ keyPaths: [String], _ body: (OpaquePointer) -> Void
  ) throws(RealmError) {
    guard query.table.exists, !isInvalidated, let queryClass else { return }
    recordRead()
    session.reads?.recordEverything()
    let session = reader
    let resolver = OrderPathResolver(
      session.store.tableSet.querySchema, verb: "read values", needsOrder: false)
    let statement = try reporting { () throws(PredicateProblem) in
      var paths: [ResolvedPath] = []
      for keyPath in keyPaths { paths.append(try resolver.resolve(keyPath, of: queryClass)) }
      return query.selecting(paths, of: queryClass)
    }
    try session.forEachRow(of: statement.sql, statement.parameters, body)
  }
}

extension ObjectQuery {
  /// Returns the same query in the form that SQLite executes fastest.
  ///
  /// Most queries have only one form, and are returned unchanged.
  @inline(__always)
  func fastest(for use: RangeUse, in session: Session) -> ObjectQuery {
    guard let ranges, !ranges.isUsual(for: use) else { return self }
    return fastest(ranges, for: use, session)
  }

  @inline(never)
  private func fastest(
    _ ranges: IndexedRanges, for use: RangeUse, _ session: Session
  ) -> ObjectQuery {
    let (constants, time) = (parameters, session.clock.now)
    let answers = session.store.rangeAnswers
    let question = RangeAnswers.Question(
      ranges: ranges, use: use, constants: constants, time: time)
    if let known = answers.way(question, of: table) { return taking(known) }
    let size = answers.size(of: table, ranges, at: time) { session.number($0, []) }
    guard let size else { return self }
    let parameter = parameter(1)
    let way = ranges.way(for: use, size) { range in
      let most = StoredValue.integer(Int64(RangeCosts.sample))
      return try? session.integers(ranges.sample(range, parameter), constants + [most])
    } count: { range, limit in
      session.number(ranges.count(range, parameter), constants + [.integer(limit)])
    }
    answers.record(way, for: question, of: table)
    return taking(way)
  }
}

extension Session {
  /// Returns the integer of a statement; nil after an error, which the query itself will report.
  fileprivate func number(_ sql: String, _ parameters: [StoredValue]) -> Int64? {
    (try? integers(sql, parameters))?.first
  }
}
