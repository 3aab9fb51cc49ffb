public import Strata

/// A map that a view shows, and can change: `$person.scores`.
@MainActor
public protocol BoundMap {
  /// The map.
  associatedtype Value: RealmKeyedCollection

  /// What the view shows.
  var wrappedValue: Value { get }

  /// Changes the map in a transaction.
  func _change(_ change: (Value) -> Void)
}

extension BoundMap {
  /// The value of a key, or nil. Setting nil removes the key.
  public subscript(key: Value.Key) -> Value.Value? {
    get { wrappedValue[key] }
    nonmutating set {
      _change { map in
        var map = map
        map[key] = newValue.map { Writing.live($0) }
      }
    }
  }

  /// Sets the value of a key; nil removes it.
  public func set(object: Value.Value?, for key: Value.Key) { self[key] = object }
}
