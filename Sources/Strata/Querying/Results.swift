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
