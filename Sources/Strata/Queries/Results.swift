import IssueReporting

/// The objects of one class in a realm, in the order in which they were added, or sorted.
///
/// Results are live: they show the newest committed objects, and inside `write` also the changes
/// made so far. A `for` loop goes over the objects that were there when it began. Objects are made
/// while they are asked for: a loop over a million keeps memory flat.
///
/// ```swift
/// for person in realm.objects(Person.self).sorted(byKeyPath: "name") { print(person.name) }
/// ```
///
/// Results belong to the thread or task of their realm, as its objects do.
public struct Results<Element: ObjectBase> {
  let session: Session
  let query: ObjectQuery
  private let rows = RowList()

  init(_ query: ObjectQuery, _ session: Session) {
    self.query = query
    self.session = session
  }

  /// The number of objects.
  public var count: Int {
    value("count(*)")?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  /// Whether there are no objects.
  public var isEmpty: Bool {
    guard query.table.exists else { return true }
    return session.value("SELECT EXISTS (\(query.aggregate("1")))")?.integer != 1
  }

  /// The first object, or nil.
  public var first: Element? { one(last: false) }

  /// The last object, or nil.
  public var last: Element? { one(last: true) }

  /// The objects in another order; those that are equal in it keep the order of being added.
  ///
  /// A name that is no property is reported through `IssueReporting`, and the order stays.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects sorted by a property.
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results
  {
    sorted(byKeyPath: propertyName(of: keyPath) ?? "\(keyPath)", ascending: ascending)
  }

  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results {
    var query = query
    query.order = []
    for descriptor in sortDescriptors {
      guard let column = query.table.column(descriptor.keyPath) else {
        reportIssue(
          """
          Cannot sort on key path '\(descriptor.keyPath)': property \
          '\(query.table.info.className).\(descriptor.keyPath)' does not exist.
          """)
        continue
      }
      query.order.append((column, descriptor.ascending))
    }
    return Results(query, session)
  }

  private func one(last: Bool) -> Element? {
    session.object(of: query, last: last).map { unsafeDowncast($0, to: Element.self) }
  }

  /// One value that SQLite computes; nil when the file has no table for the class.
  func value(_ expression: String) -> StoredValue? {
    query.table.exists ? session.value(query.aggregate(expression)) : nil
  }
}

extension Results: Sequence {
  public struct Iterator: IteratorProtocol {
    let cursor: ObjectCursor

    public mutating func next() -> Element? {
      cursor.next().map { unsafeDowncast($0, to: Element.self) }
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(cursor: ObjectCursor(query, session))
  }

  public var underestimatedCount: Int { 0 }

  // The collection's own versions count first and expect that many, which another thread may
  // change.

  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var iterator = makeIterator()
    while let element = iterator.next() { values.append(try transform(element)) }
    return values
  }

  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var elements: ContiguousArray<Element> = []
    var iterator = makeIterator()
    while let element = iterator.next() { elements.append(element) }
    return elements
  }
}

extension Results: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// The object at a position. An index out of range stops the process, as with an array.
  public subscript(position: Int) -> Element {
    guard let object = object(at: position) else {
      stopForProgrammerError(
        "Index \(position) is out of bounds (must be less than \(count)). ('Results<"
          + "\(query.table.info.className)>')")
    }
    return object
  }

  private func object(at position: Int) -> Element? {
    guard position >= 0, query.table.exists else { return nil }
    return rows.row(at: position, query, session)
      .flatMap { session.objectIfReadable(row: $0, in: query.table) }
      .map { unsafeDowncast($0, to: Element.self) }
  }
}

extension Results: CustomStringConvertible {
  /// The first hundred objects.
  public var description: String {
    let shown = prefix(100).enumerated().map { index, object in
      "\t[\(index)] " + object.description.split(separator: "\n").joined(separator: "\n\t")
    }
    let lines = shown.joined(separator: ",\n")
    return "Results<\(query.table.info.className)> (\n\(lines)\n)"
  }
}

extension StoredValue {
  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
}
