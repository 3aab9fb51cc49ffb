extension Realm {
  /// Deletes the objects of a map, which is empty then. Where other maps lead to them, keys stay,
  /// with nil.
  public func delete<Key, Element: ObjectBase>(_ objects: Map<Key, Element?>) {
    for object in objects.values.compactMap({ $0 }) where !object.isInvalidated {
      session.delete(object)
    }
    guard let owner = objects.realm?.session, session.sharesFile(with: owner),
      !objects.isInvalidated
    else { return }
    objects.removeAll()
  }
}

extension Results {
  /// Whether the realm was invalidated since; otherwise results can be used as long as their realm.
  public var isInvalidated: Bool {
    switch source {
    case .objects(let objects): objects.isInvalidated
    case .values(let values): values.rows?.isInvalidated ?? false
    }
  }
}

extension LinkingObjects {
  /// Whether the realm was invalidated since. Nothing links to a deleted object.
  public var isInvalidated: Bool { results?.isInvalidated ?? false }
}
