import StrataQuery

/// A change, as an observer of a map hears it.
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
