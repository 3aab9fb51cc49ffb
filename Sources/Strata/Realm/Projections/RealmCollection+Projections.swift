public import Dispatch
import StrataStorage

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
    do throws(RealmError) {
      let name = try Element._propertyName(readBy: keyPath)
      return sorted(byKeyPath: name, ascending: ascending)
    } catch {
      return _results.none(error)
    }
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
}

extension ProjectionObservable {
  public static func _propertyName(readBy keyPath: AnyKeyPath) throws(RealmError) -> String {
    let known = keyPath as? PartialKeyPath<Self>
    let names = Set(known.map { projectedProperties(readBy: $0).flatMap(\.keyPaths) } ?? [])
    guard names.count == 1, let name = names.first else {
      throw RealmError(
        .fail,
        "The key path '\(keyPath)' gives no order: it shows no property of "
          + "'\(Root.className())', or several. Sort by the name of a property.")
    }
    return name
  }
}

extension Query where T: ProjectionObservable {
  /// A property of the projected object, by its name in the object.
  public subscript<Value>(dynamicMember member: KeyPath<T.Root, Value>) -> Query<Value> {
    Query<Value>(content.following(member))
  }
}
