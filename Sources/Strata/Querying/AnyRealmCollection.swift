/// A type-erased collection of objects or values.
///
/// ```swift
/// func show(_ people: AnyRealmCollection<Person>) { … }
/// show(AnyRealmCollection(club.members))
/// show(AnyRealmCollection(realm.objects(Person.self)))
/// ```
/// An `AnyRealmCollection` shows the elements of the wrapped collection, and is as live as that
/// collection.
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

  /// Returns the position of the first element that is equal to the given one, or nil.
  public func index(of element: Element) -> Int? { base.index(of: element) }

  public var _results: Results<Element> { base.results }

  /// Whether the wrapped collection can't be used any more.
  public var isInvalidated: Bool { base.isInvalidated }

  /// The description of the wrapped collection.
  public var description: String { base.description }

  public func _confined() -> _Confined? { base.confined() }

  public func _observed() -> _Observed<AnyRealmCollection>? { base.observed() }
}

extension AnyRealmCollection: KeyValueReading {}

extension AnyRealmCollection where Element.PersistedType: SortableType {
  /// Returns the sorted values; nil comes first, or last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    _results.sorted(ascending: ascending)
  }
}

extension AnyRealmCollection: Equatable {
  /// Returns whether both wrap equal collections.
  public static func == (first: AnyRealmCollection, second: AnyRealmCollection) -> Bool {
    first.base.isEqual(to: second.base)
  }
}

/// A collection whose type is erased.
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
