public import Dispatch
import StrataStorage

extension Realm {
  /// Returns projections of all objects of a class, in the order in which the objects were added.
  ///
  /// Conditions and orders of the results use the properties of the objects. `observe` reports only
  /// changes of projected properties.
  ///
  /// ```swift
  /// let people = realm.objects(PersonProjection.self).filter("age > 30").sorted(by: \.name)
  /// ```
  /// A class that `objectTypes` doesn't list gives empty results: see `objects(_:)` of model
  /// classes.
  public func objects<Element: ProjectionObservable & RealmCollectionValue>(
    _ type: Element.Type
  ) -> Results<Element> where Element.Root: Object {
    results(of: Element.Root.self)
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Returns the projections sorted by the object's property that a property of the projection
  /// shows.
  ///
  /// The object's property decides the order, also if the projection computes a value from it. A
  /// key path that shows no property, or several, is an error, and the results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported.
  public func sorted<Value: RealmCollectionValue>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    guard let name = sortingName(of: keyPath) else { return _results.none(noOrder(keyPath)) }
    return sorted(byKeyPath: name, ascending: ascending)
  }

  /// Returns the projections in sections by one of their properties, sorted by it.
  ///
  /// See `sectioned` of objects. A key path that shows no property of the object, or several, is an
  /// error, and there are no sections.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    guard let name = sortingName(of: keyPath) else {
      return SectionedResults(_results.none(noOrder(keyPath))) { $0[keyPath: keyPath] }
    }
    return SectionedResults(sorted(byKeyPath: name, ascending: ascending)) {
      $0[keyPath: keyPath]
    }
  }

  /// Returns the projections in sections by one of their properties. The order must begin with the
  /// object's property that this property shows.
  ///
  /// ```swift
  /// people.sectioned(by: \.city, sortDescriptors: ["address.city", "name"])
  /// ```
  /// The descriptors use properties of the object. Descriptors that begin with another property, or
  /// an empty list, are an error, and there are no sections. Inside of `write`, the transaction
  /// throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if let first = sortDescriptors.first, let name = sortingName(of: keyPath),
      first.mistake == nil, first.keyPath != name
    {
      let error = RealmError(.fail, ErrorText.sectionOrder(name, first.keyPath))
      return SectionedResults(_results.none(error)) { $0[keyPath: keyPath] }
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// Returns the projections in sections by the result of a closure.
  ///
  /// The closure is called for each projection, and again after each change. The descriptors use
  /// properties of the object; projections with the same key should be consecutive in this order.
  ///
  /// ```swift
  /// people.sectioned(by: { $0.name.prefix(1) }, sortDescriptors: ["firstName"])
  /// ```
  /// An empty list of descriptors is an error, and there are no sections. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard !sortDescriptors.isEmpty else {
      return SectionedResults(_results.none(RealmError(.fail, ErrorText.noSectionOrder)), key: key)
    }
    return SectionedResults(sorted(by: sortDescriptors), key: key)
  }

  /// Returns the projections in sections by the result of a closure: see
  /// `sectioned(by:sortDescriptors:)`.
  public func sectioned<Key: Hashable>(
    sortDescriptors: [SortDescriptor], _ key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: key, sortDescriptors: sortDescriptors)
  }

  /// Calls a closure with the collection, and again after each change of the given properties.
  ///
  /// Like `observe(keyPaths:on:_:)` with names. A key path that reads no projected property is
  /// reported through `IssueReporting`; the token is inactive then.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = countedNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
  }

  /// Calls a closure on an actor with the collection, and again after each change of the given
  /// properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = countedNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// Returns the object's key paths that key paths of a projection show.
  private func countedNames(of keyPaths: [PartialKeyPath<Element>]) -> [String]? {
    guard projectedNames(of: keyPaths) != nil else { return nil }
    return keyPaths.flatMap { projectedProperties(readBy: $0).flatMap(\.keyPaths) }
  }

  private func sortingName(of keyPath: PartialKeyPath<Element>) -> String? {
    let names = Set(projectedProperties(readBy: keyPath).flatMap(\.keyPaths))
    return names.count == 1 ? names.first : nil
  }

  private func noOrder(_ keyPath: PartialKeyPath<Element>) -> RealmError {
    RealmError(
      .fail,
      "The key path '\(keyPath)' gives no order: it shows no property of "
        + "'\(Element.Root.className())', or several. Sort by the name of a property.")
  }
}

extension Query where T: ProjectionObservable {
  /// A property of the projected object, by its name in the object.
  public subscript<Value>(dynamicMember member: KeyPath<T.Root, Value>) -> Query<Value> {
    Query<Value>(content.following(member))
  }
}
