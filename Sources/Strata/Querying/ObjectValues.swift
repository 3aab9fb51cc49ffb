import StrataQuery
import StrataStorage

/// The values of some properties of many objects, read from the file without making objects.
///
/// A loop, and each call of ``all()``, asks the file once and has the values of one moment, in the
/// order of the objects; inside of `write` with the changes made so far. The values are in memory
/// then: eight bytes and more for each.
///
/// ```swift
/// let people = realm.objects(Person.self).where { $0.age > 17 }.sorted(by: \.name)
/// for (name, city) in people.values(\.name, \.address?.city) { print(name, city ?? "") }
/// let names: [String] = people.values(\.name).all()
/// ```
///
/// A value that isn't of the type of its property is reported through `IssueReporting`, and is the
/// zero of the type. A file that can't be read gives no values, which is reported too; ``load()``
/// throws that.
public struct ObjectValues<Element>: Sequence {
  @usableFromInline let rows: _ValueRows?
  /// Those of objects in no realm.
  @usableFromInline let inMemory: [Element]
  /// Makes the values of the current row of an `sqlite3_stmt *`.
  @usableFromInline let decode: @Sendable (OpaquePointer, _ValueRows) -> Element

  @usableFromInline
  init(
    _ rows: _ValueRows?, inMemory: [Element],
    _ decode: @escaping @Sendable (OpaquePointer, _ValueRows) -> Element
  ) {
    self.rows = rows
    self.inMemory = inMemory
    self.decode = decode
  }

  public func makeIterator() -> IndexingIterator<[Element]> { all().makeIterator() }

  /// All values, as an array.
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
  /// The values as they are now, read on another thread.
  ///
  /// Inside of `write` they are those before the transaction.
  ///
  /// ```swift
  /// let names = try await realm.objects(Person.self).values(\.name).load()
  /// ```
  /// - Throws: ``Realm/Error`` when the file can't be read.
  public func load(
    isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, line: UInt = #line
  ) async throws -> [Element] {
    guard let rows else { return inMemory }
    let frozen = try rows.frozen(at: CodeLocation(fileID: fileID, line: line))
    return try await Task.detached { [decode] in try Self.read(frozen, decode) }.value
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The values of some properties of the objects, read without making objects: the fast way for
  /// who reads one or two properties of many.
  ///
  /// Key paths may lead through links (`\.company?.name`), and end at a property with a single
  /// value that is no object. Where an index has all that is read, nothing else is read.
  ///
  /// ```swift
  /// var total = 0
  /// for (price, count) in items.values(\.price, \.count) { total += price * count }
  /// ```
  ///
  /// A key path that computes something, or leads through a collection, is a mistake, which gives
  /// no values: `write` throws it, anywhere else it is reported through `IssueReporting`.
  @inlinable
  public func values<each Value: RealmCollectionValue>(
    _ keyPath: repeat KeyPath<Element, each Value>
  ) -> ObjectValues<(repeat each Value)> {
    var keyPaths: [PartialKeyPath<Element>] = []
    for path in repeat each keyPath { keyPaths.append(path) }
    let rows = _valueRows(keyPaths)
    let inMemory = rows == nil ? map { object in (repeat object[keyPath: each keyPath]) } : []
    return ObjectValues(rows, inMemory: inMemory) { statement, rows in
      var column: Int32 = 0
      return (repeat rows.next((each Value).self, statement, &column))
    }
  }

  /// The values of one property of the objects: ``values(_:)`` of several.
  @inlinable
  public func values<Value: RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Value>
  ) -> ObjectValues<Value> {
    let rows = _valueRows([keyPath])
    let inMemory = rows == nil ? map { $0[keyPath: keyPath] } : []
    return ObjectValues(rows, inMemory: inMemory) { statement, rows in
      var column: Int32 = 0
      return rows.next(Value.self, statement, &column)
    }
  }

  /// The rows of objects in a realm; nil for others.
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
    noteRead()
    session.reads?.noteEverything()
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
