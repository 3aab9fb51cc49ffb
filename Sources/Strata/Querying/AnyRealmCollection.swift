/// A collection of objects or values, whichever kind it is.
///
/// ```swift
/// func show(_ people: AnyRealmCollection<Person>) { … }
/// show(AnyRealmCollection(club.members))
/// show(AnyRealmCollection(realm.objects(Person.self)))
/// ```
/// It is the collection that it was made of: it shows what that shows, and changes with it.
public struct AnyRealmCollection<Element: RealmCollectionValue> {
  private let base: any CollectionBox<Element>

  /// Wraps a collection.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection)?.base ?? BoxOf(base)
  }
}

extension AnyRealmCollection: RealmCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { base.count }
  public var count: Int { base.count }

  public subscript(position: Int) -> Element { base.element(at: position) }

  public func makeIterator() -> AnyIterator<Element> { base.iterator() }

  public var first: Element? { base.first }

  public var last: Element? { base.last }

  /// The position of the first element that is equal to the given one, or nil.
  public func index(of element: Element) -> Int? { base.index(of: element) }

  /// The objects sorted by the first property, those that are equal in it by the second, and so on.
  public func sorted(by sortDescriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    _results.sorted(by: sortDescriptors)
  }

  public var _results: Results<Element> { base.results }

  /// Whether the collection that it was made of can be used no longer.
  public var isInvalidated: Bool { base.isInvalidated }

  /// That of the collection that it was made of.
  public var description: String { base.description }

  public func _confined() -> _Confined? { base.confined() }

  public func _observed() -> _Observed<AnyRealmCollection>? { base.observed() }
}

extension AnyRealmCollection: KeyValueReading {}

extension AnyRealmCollection where Element.PersistedType: SortableType {
  /// The values in order; nil is first, or last.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    _results.sorted(ascending: ascending)
  }
}

extension AnyRealmCollection: Equatable {
  /// Whether both were made of equal collections.
  public static func == (first: AnyRealmCollection, second: AnyRealmCollection) -> Bool {
    first.base.isEqual(to: second.base)
  }
}

/// A collection whose type is forgotten.
private protocol CollectionBox<Element> {
  associatedtype Element: RealmCollectionValue
  var count: Int { get }
  var first: Element? { get }
  var last: Element? { get }
  var isInvalidated: Bool { get }
  var description: String { get }
  var results: Results<Element> { get }
  func element(at position: Int) -> Element
  func iterator() -> AnyIterator<Element>
  func index(of element: Element) -> Int?
  func confined() -> _Confined?
  func observed() -> _Observed<AnyRealmCollection<Element>>?
  func isEqual(to other: any CollectionBox<Element>) -> Bool
}

private struct BoxOf<C: RealmCollection>: CollectionBox {
  let collection: C

  init(_ collection: C) { self.collection = collection }

  var count: Int { collection.count }
  var first: C.Element? { collection.first }
  var last: C.Element? { collection.last }
  var isInvalidated: Bool { collection.isInvalidated }
  var description: String { collection.description }
  var results: Results<C.Element> { collection._results }
  func element(at position: Int) -> C.Element { collection[position] }

  func iterator() -> AnyIterator<C.Element> { AnyIterator(collection.makeIterator()) }

  func index(of element: C.Element) -> Int? { collection.index(of: element) }

  func isEqual(to other: any CollectionBox<C.Element>) -> Bool {
    (other as? BoxOf)?.collection == collection
  }

  func confined() -> _Confined? {
    collection._confined()?.map { (collection: C) in AnyRealmCollection(collection) }
  }

  func observed() -> _Observed<AnyRealmCollection<C.Element>>? {
    guard let observed = collection._observed() else { return nil }
    return _Observed(
      session: observed.session, source: observed.source,
      shown: { AnyRealmCollection(observed.shown($0)) }, comparison: observed.comparison)
  }
}
