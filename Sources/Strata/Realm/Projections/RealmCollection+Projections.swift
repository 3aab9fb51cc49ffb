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
