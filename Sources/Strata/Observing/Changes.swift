import StrataQuery

/// What an observer of a collection hears.
public enum RealmCollectionChange<Collection> {
  /// The first call: the collection as it is.
  case initial(Collection)
  /// What changed since the last call.
  ///
  /// Positions are ascending; those of deletions and modifications are in the collection as it was,
  /// those of insertions in the collection as it is. An element that moved is a deletion and an
  /// insertion. Deleting from the last to the first, and then inserting from the first to the last,
  /// leads from the old collection to the new one.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
}

extension RealmCollectionChange {
  /// The positions of modified elements in the collection as it is now; nil for other cases than
  /// `update`.
  public var modificationsInNewVersion: [Int]? {
    guard case .update(_, let deletions, let insertions, let modifications) = self else {
      return nil
    }
    return ChangeSet(
      deletions: deletions, insertions: insertions, modifications: modifications
    ).modificationsInNewVersion
  }
}

/// What an observer of a map hears.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call: the map as it is.
  case initial(Collection)
  /// What changed since the last call: the keys that are gone, those that are new, and those with
  /// another value.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
}

/// What an observer of an object hears.
public enum ObjectChange<T> {
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
  /// Properties changed: the object, and each of them in the order of declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted; it is the last call.
  case deleted
}

/// A property that changed.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before the change; nil for nil, and for lists, sets and maps.
  public let oldValue: Any?
  /// The value after the change; nil for nil, and for lists, sets and maps.
  public let newValue: Any?
}

extension Realm {
  /// What an observer of a realm hears.
  public enum Notification: String, Sendable {
    /// Something was committed, and the realm shows it.
    case didChange = "RLMRealmDidChangeNotification"
    /// Something was committed that the realm shows only after `refresh()`.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}
