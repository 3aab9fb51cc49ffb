import StrataQuery
import StrataStorage

/// The objects of one class in a realm, in the order in which they were added, or sorted.
///
/// Results are live: they show the newest committed objects, and inside of `write` also the changes
/// made so far. A `for` loop visits the objects that existed at its beginning. Objects are created
/// on demand, so that memory stays flat in a loop over a million objects. A loop may reuse an
/// unreferenced object for another row: `deinit` of the class may run less often than once per row.
///
/// ```swift
/// for person in realm.objects(Person.self).sorted(byKeyPath: "name") { print(person.name) }
/// ```
///
/// Results of a collection, such as `list.sorted()`, are live as well. Results of values other than
/// objects hold all elements in memory. Results belong to the thread or task of their realm, like
/// its objects.
public struct Results<Element: RealmCollectionValue> {
  let source: Source

  enum Source {
    case objects(ObjectResults)
    case values(SortedElements<Element>)
  }

  init(_ query: ObjectQuery, _ session: Session, generation: UInt32? = nil) {
    source = .objects(ObjectResults(query, session, generation: generation))
  }

  init(_ values: SortedElements<Element>) {
    source = .values(values)
  }

  /// The number of elements.
  public var count: Int {
    switch source {
    case .objects(let objects): objects.count
    case .values(let values): values.elements.count
    }
  }

  /// Whether the results are empty.
  public var isEmpty: Bool {
    switch source {
    case .objects(let objects): objects.isEmpty
    case .values(let values): values.elements.isEmpty
    }
  }

  /// The first element, or nil.
  public var first: Element? {
    switch source {
    case .objects(let objects):
      guard let object = objects.one(last: false) else { return nil }
      return shown(object, as: Element.self)
    case .values(let values): return values.elements.first
    }
  }

  /// The last element, or nil.
  public var last: Element? {
    switch source {
    case .objects(let objects): objects.one(last: true).map { shown($0, as: Element.self) }
    case .values(let values): values.elements.last
    }
  }

  /// Returns the position of an element, or nil.
  public func index(of element: Element) -> Int? {
    switch source {
    case .objects(let objects): element._shownObject.flatMap { objects.index(of: $0) }
    case .values(let values): values.elements.position(of: element)
    }
  }
}

extension Results where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results { inOrder(ascending: ascending) }
}

extension Results {
  func inOrder(ascending: Bool) -> Results {
    switch source {
    case .objects: self
    case .values(let values): Results(values.sorted(ascending: ascending))
    }
  }
}

/// Returns the object as an element. The class of the query's table is the type of the elements.
///
/// Comparing types takes a tenth of the time of a cast.
@inlinable @inline(__always)
func shown<Element: RealmCollectionValue>(_ object: ObjectBase, as type: Element.Type) -> Element {
  if Swift.type(of: object) == type { return unsafeBitCast(object, to: type) }
  return cast(object, to: type)
}

@usableFromInline
func cast<Element: RealmCollectionValue>(_ object: ObjectBase, to type: Element.Type) -> Element {
  guard let element = Element._showing(object) else {
    stopForProgrammerError(
      "An object of '\(Swift.type(of: object).className())' is not of type '\(Element.self)'.")
  }
  return element
}

extension Results: Sequence {
  public struct Iterator: IteratorProtocol {
    @usableFromInline let cursor: ObjectCursor?
    @usableFromInline var values: IndexingIterator<[Element]>

    // Inlined into the loop: without specialization, it takes longer than reading a row.
    @inlinable
    public mutating func next() -> Element? {
      guard let cursor else { return values.next() }
      guard let object = cursor.next() else { return nil }
      return shown(object, as: Element.self)
    }
  }

  public func makeIterator() -> Iterator {
    switch source {
    case .objects(let objects):
      Iterator(cursor: objects.cursor(), values: [].makeIterator())
    case .values(let values): Iterator(cursor: nil, values: values.elements.makeIterator())
    }
  }
}

extension Results: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Doesn't count the elements in the file, and doesn't stop the process if they can't be counted.
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the element at a position. A position out of range stops the process, as with an
  /// array.
  public subscript(position: Int) -> Element {
    if case .objects(let objects) = source, let object = objects.object(at: position) {
      return shown(object, as: Element.self)
    }
    return value(at: position)
  }

  /// A function of its own, because its generic checks take as long as finding an object.
  @inline(never)
  private func value(at position: Int) -> Element {
    if case .values(let values) = source {
      let elements = values.elements
      if elements.indices.contains(position) { return elements[position] }
      // A key path that is being recorded may access any position.
      if values.rows is RecordedRows, let element = elements.first { return element }
    }
    stopForProgrammerError(
      "Index \(position) is out of bounds (must be less than \(count)). ('\(title)')")
  }

  var title: String {
    switch source {
    case .objects(let objects): "Results<\(objects.query.table.info.type.shownName)>"
    case .values: "Results<\(elementName(Element.self))>"
    }
  }
}

extension Results: CustomStringConvertible, NestedDescription {
  /// A description of the first hundred elements.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(title, leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension Results {
  /// The SQL statement of the query, with its constants as literals.
  ///
  /// Use it to inspect a query, or with `withDatabase`. The rows have the identity and the columns
  /// of the class. Functions with the prefix `strata_` exist only on connections of this library.
  /// `explain()` of `StrataTestSupport` shows the indexes that the statement uses.
  ///
  /// ```swift
  /// print(people.where { $0.age > 17 }.sql ?? "")
  /// // SELECT t."_id", t."name", t."age" FROM "Person" AS t
  /// // WHERE t."age" > 17 ORDER BY t."_id" ASC
  /// ```
  ///
  /// Nil for values that aren't objects, and for unmanaged objects: their results are computed in
  /// memory.
  public var sql: String? {
    guard case .objects(let objects) = source else { return nil }
    let query = objects.query.fastest(for: .objects, in: objects.session)
    return query.sql.literal(query.select(query.table.texts.qualifiedColumns))
  }
}

extension Results: Equatable {
  /// Returns whether both have the same objects, conditions and order in the same realm. Results of
  /// values are equal when they have the same elements of the same collection.
  public static func == (first: Results, second: Results) -> Bool {
    switch (first.source, second.source) {
    case (.objects(let first), .objects(let second)):
      first.session === second.session && first.query.isSame(as: second.query)
    case (.values(let first), .values(let second)):
      first === second || first.isSame(as: second)
    case (.objects, .values), (.values, .objects): false
    }
  }
}

extension LinkingObjects: Equatable {
  /// Returns whether both are the objects that link to the same object through the same property.
  public static func == (first: LinkingObjects, second: LinkingObjects) -> Bool {
    first.originProperty == second.originProperty && first.results == second.results
  }
}

extension SortedElements {
  fileprivate func isSame(as other: SortedElements) -> Bool {
    guard let rows else { return other.rows == nil && elements.isSame(as: other.elements) }
    return other.rows.map { rows.isSame(as: $0) } == true && elements.isSame(as: other.elements)
  }
}

extension ObjectQuery {
  fileprivate func isSame(as other: ObjectQuery) -> Bool {
    table.info === other.table.info && source.isSame(as: other.source) && request == other.request
  }
}

extension ObjectQuery.Source {
  fileprivate func isSame(as other: ObjectQuery.Source) -> Bool {
    switch (self, other) {
    case (.all, .all): true
    case (.collection(let info, let owner), .collection(let other, let otherOwner)):
      owner == otherOwner && info.name == other.name
    case (.linking(let column, let row), .linking(let other, let otherRow)):
      row == otherRow && column == other
    case (.containing(let info, let row), .containing(let other, let otherRow)):
      row == otherRow && info.name == other.name
    default: false
    }
  }
}

extension RealmCollection {
  /// Returns the first object of each combination of values of the given properties.
  ///
  /// The current order decides which object is first: `sorted` before `distinct` selects the object
  /// that stays, `sorted` after `distinct` sorts the remaining objects. Objects with a nil link on
  /// the path to a value are left out.
  ///
  /// ```swift
  /// let newest = realm.objects(Reading.self).sorted(byKeyPath: "date", ascending: false)
  ///   .distinct(by: ["sensor.name"])
  /// ```
  ///
  /// An unknown name, or a property without a single value, is an error, and the results are empty.
  /// Inside of `write`, the transaction throws the error; elsewhere it is reported through
  /// `IssueReporting`.
  public func distinct<Names: Sequence>(by keyPaths: Names) -> Results<Element>
  where Names.Element == String {
    _results.distinctResults(by: Array(keyPaths))
  }

  /// Skips `offset` elements and returns at most the next `count`.
  ///
  /// Later operations apply to these elements only: a condition after a limit filters the limited
  /// elements. The result is live: each access evaluates the limit again.
  ///
  /// ```swift
  /// let page = people.sorted(byKeyPath: "name").limit(20, offset: 40)
  /// ```
  ///
  /// A negative number counts as zero.
  public func limit(_ count: Int, offset: Int = 0) -> Results<Element> {
    let results = _results
    switch results.source {
    case .values(let values): return Results(values.limited(to: count, offset: offset))
    case .objects(let objects):
      do throws(RealmError) {
        return Results(try objects.limited(to: count, offset: offset))
      } catch {
        return results.none(error)
      }
    }
  }

  /// The elements as input of a condition that must only filter them. A condition after `distinct`
  /// would apply before it and select other objects; a limit prevents that.
  var _choices: Results<Element> {
    let results = _results
    guard case .objects(let objects) = results.source, objects.query.request.isDistinct else {
      return results
    }
    do throws(RealmError) {
      let closed = try objects.limited(to: .max, offset: 0)
      // Checks that the condition's level still fits.
      _ = try closed.limited(to: .max, offset: 0)
      return Results(closed)
    } catch {
      // SQLite doesn't support more levels: the condition applies before `distinct`, as in Realm.
      return results
    }
  }
}

extension _QueryableCollection {
  /// Returns the elements that also meet a condition.
  ///
  /// An invalid condition finds nothing. Inside of `write`, the transaction throws the error;
  /// elsewhere it is reported.
  func _filter(_ predicate: QueryPredicate) -> Results<_Value> {
    let results = _results
    do throws(RealmError) {
      return try results.filtered(by: predicate)
    } catch {
      return results.none(error)
    }
  }
}

extension RealmCollection {
  /// Returns the distinct values, in the order of their first occurrence.
  public func distinct() -> Results<Element> {
    guard case .values(let values) = _results.source else { return _results }
    return Results(values.distinct())
  }
}

extension Results {
  init(_ objects: ObjectResults) { source = .objects(objects) }

  /// Returns the elements that also meet a condition.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> Results {
    switch source {
    case .objects(let objects): Results(try objects.filtered(by: predicate))
    case .values(let values): Results(try values.filtered(by: predicate))
    }
  }

  fileprivate func distinctResults(by keyPaths: [String]) -> Results {
    do throws(RealmError) {
      switch source {
      case .objects(let objects): return Results(try objects.distinct(by: keyPaths))
      case .values(let values): return Results(try values.distinct(by: keyPaths))
      }
    } catch {
      return none(error)
    }
  }
}
