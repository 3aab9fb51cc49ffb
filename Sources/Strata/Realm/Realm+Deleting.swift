extension Realm {
  /// Deletes the objects of a map, whose keys stay, with nil.
  public func delete<Key, Element: ObjectBase>(_ objects: Map<Key, Element?>) {
    for object in objects.values.compactMap({ $0 }) where !object.isInvalidated {
      session.delete(object)
    }
  }
}

extension Results {
  /// Always false: results can be used as long as their realm.
  public var isInvalidated: Bool { false }
}

extension LinkingObjects {
  /// Always false: nothing links to a deleted object.
  public var isInvalidated: Bool { false }
}
