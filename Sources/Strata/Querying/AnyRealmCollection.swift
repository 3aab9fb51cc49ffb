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
  private let base: any RealmCollection<Element>

  /// Wraps a collection.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection)?.base ?? base
  }
}

extension AnyRealmCollection: RealmCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { base.count }
  public var count: Int { base.count }

  public subscript(position: Int) -> Element { base[position] }

  public func makeIterator() -> AnyIterator<Element> { base.erasedIterator }

  public var first: Element? { base.first }

  public var last: Element? { base.last }

  /// Returns the position of the first element that is equal to the given one, or nil.
  public func index(of element: Element) -> Int? { base.index(of: element) }

  public var _results: Results<Element> { base._results }

  /// Whether the wrapped collection can't be used any more.
  public var isInvalidated: Bool { base.isInvalidated }

  /// The description of the wrapped collection.
  public var description: String { base.description }

  public func _confined() -> _Confined? { base.confinedAsAny() }

  public func _observed() -> _Observed<AnyRealmCollection>? { base.observedAsAny() }
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

// Members that need the type of the wrapped collection.
extension RealmCollection {
  fileprivate var erasedIterator: AnyIterator<Element> { AnyIterator(makeIterator()) }

  fileprivate func isEqual(to other: any RealmCollection) -> Bool { other as? Self == self }

  fileprivate func confinedAsAny() -> _Confined? {
    _confined()?.map { (collection: Self) in AnyRealmCollection(collection) }
  }

  fileprivate func observedAsAny() -> _Observed<AnyRealmCollection<Element>>? {
    guard let observed = _observed() else { return nil }
    return _Observed(
      session: observed.session, source: observed.source,
      shown: { AnyRealmCollection(observed.shown($0)) }, comparison: observed.comparison)
  }
}
