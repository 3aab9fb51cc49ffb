import StrataQuery
import StrataStorage

/// The objects of one class in a realm, in the order in which they were added, or sorted.
///
/// Results are live: they show the newest committed objects, and inside `write` also the changes
/// made so far. A `for` loop visits the objects that existed at its beginning. Objects are made
/// while they are asked for: a loop over a million keeps memory flat. An object of a loop to which
/// nothing refers any more may become that of another row, so that a `deinit` of the class runs
/// less often than once for each row.
///
/// ```swift
/// for person in realm.objects(Person.self).sorted(byKeyPath: "name") { print(person.name) }
/// ```
///
/// Results of a collection, as `list.sorted()` gives them, show its elements at each moment; those
/// of values other than objects hold them all in memory. Results belong to the thread or task of
/// their realm, as its objects do.
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

  /// The position of an element, or nil.
  public func index(of element: Element) -> Int? {
    switch source {
    case .objects(let objects): element._shownObject.flatMap { objects.index(of: $0) }
    case .values(let values): values.elements.firstIndex(of: element)
    }
  }

  /// Whether an element is among them.
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// The objects sorted by the first property, those that are equal in it by the second, and so on;
  /// those that are equal in all of them keep the order that they have.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results {
    do throws(RealmError) {
      let sortDescriptors = Array(sortDescriptors)
      if let mistake = sortDescriptors.lazy.compactMap(\.mistake).first {
        throw RealmError(.fail, mistake)
      }
      switch source {
      case .objects(let objects): return Results(try objects.sorted(by: sortDescriptors))
      case .values(let values): return Results(try values.sorted(by: sortDescriptors))
      }
    } catch {
      return none(error)
    }
  }
}

extension Results where Element.PersistedType: SortableType {
  /// The values in order; nil is first, or last.
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

/// The object as an element: the class of the query's table is the one of the elements.
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

    init(cursor: ObjectCursor?, values: IndexingIterator<[Element]>) {
      self.cursor = cursor
      self.values = values
    }

    // Compiled with the loop: what it doesn't know of its elements takes longer than a row.
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

  /// Doesn't ask the file how many elements there are by now, and doesn't stop when it can't tell.
  public func index(after position: Int) -> Int { position + 1 }

  /// The element at a position. An index out of range stops the process, as with an array.
  public subscript(position: Int) -> Element {
    if case .objects(let objects) = source, let object = objects.object(at: position) {
      return shown(object, as: Element.self)
    }
    return value(at: position)
  }

  /// Apart, because what it asks of the type of its elements takes as long as finding an object.
  @inline(never)
  private func value(at position: Int) -> Element {
    if case .values(let values) = source {
      let elements = values.elements
      if elements.indices.contains(position) { return elements[position] }
      // A key path that is tried out may ask for any position.
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
  /// The first hundred elements.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(title, leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension Results: Encodable where Element: Encodable {
  /// Writes the elements as an array; the class of objects must say how one in a realm is encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Results {
  /// The statement that finds the objects, with its constants written out.
  ///
  /// To find out what a query does, and for `withDatabase`. Its rows have the identity and
  /// the columns of the class. Functions whose names begin with `strata_` are on the connections of
  /// this library only. `explain()` of `StrataTestSupport` says which indexes it uses.
  ///
  /// ```swift
  /// print(people.where { $0.age > 17 }.sql ?? "")
  /// // SELECT t."_id", t."name", t."age" FROM "Person" AS t
  /// // WHERE t."age" > 17 ORDER BY t."_id" ASC
  /// ```
  ///
  /// Nil for values that are no objects, and for objects that are in no realm: these are found in
  /// memory.
  public var sql: String? {
    guard case .objects(let objects) = source else { return nil }
    let query = objects.query.fastest(for: .objects, in: objects.session)
    return query.sql.literal(query.select(query.table.texts.qualifiedColumns))
  }
}

extension Results: Equatable {
  /// Whether both ask the same of the same realm: for the same objects, with the same conditions,
  /// in the same order. Results of values are equal when they have the same elements of the same
  /// collection.
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
  /// Whether both are the objects that link to the same one through the same property.
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
  /// The first of those objects that have the same values of some properties.
  ///
  /// Which is first is a matter of the order so far: `sorted` before `distinct` decides which
  /// object stays, `sorted` after it puts those that stay in order. Objects with a nil link on the
  /// way to a value are left out.
  ///
  /// ```swift
  /// let newest = realm.objects(Reading.self).sorted(byKeyPath: "date", ascending: false)
  ///   .distinct(by: ["sensor.name"])
  /// ```
  ///
  /// An unknown name, and a property without a single value, is a mistake, which gives no objects:
  /// `write` throws it, anywhere else it is reported through `IssueReporting`.
  public func distinct<Names: Sequence>(by keyPaths: Names) -> Results<Element>
  where Names.Element == String {
    _results.distinctResults(by: Array(keyPaths))
  }

  /// At most so many elements, after so many that are left out.
  ///
  /// What is called on the result sees only those: a condition after a limit leaves out some of
  /// them. The result is live: which elements they are is found out each time.
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

  /// The elements, among which a condition finds only such as are there: one after `distinct`
  /// comes before it, and others would stay.
  var _choices: Results<Element> {
    let results = _results
    guard case .objects(let objects) = results.source, objects.query.request.isDistinct else {
      return results
    }
    do throws(RealmError) {
      let closed = try objects.limited(to: .max, offset: 0)
      // The condition needs a level, too.
      _ = try closed.limited(to: .max, offset: 0)
      return Results(closed)
    } catch {
      // SQLite has no room for more levels: the condition comes before, as Realm asks it.
      return results
    }
  }

  /// The elements for which a condition is true too.
  ///
  /// A condition that can't be asked finds nothing, and says so: `write` throws it, anywhere else
  /// it is reported.
  func _filter(_ predicate: QueryPredicate) -> Results<Element> {
    let results = _results
    do throws(RealmError) {
      return try results.filtered(by: predicate)
    } catch {
      return results.none(error)
    }
  }
}

extension RealmCollection {
  /// Each value once, where it is first.
  public func distinct() -> Results<Element> {
    guard case .values(let values) = _results.source else { return _results }
    return Results(values.distinct())
  }
}

extension Results {
  init(_ objects: ObjectResults) { source = .objects(objects) }

  /// - Throws: ``RealmError`` with code `fail` for a condition that can't be asked.
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
