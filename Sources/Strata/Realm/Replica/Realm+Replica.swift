public import StrataStorage

extension Realm {
  /// The state of the replica that this realm shows; nil for other realms.
  ///
  /// ```swift
  /// if let lag = realm.replicaState?.lag(), lag > .seconds(30) { health.report("\(lag) behind") }
  /// ```
  /// This property may be read often and on any thread: the read accesses only a small file. For a
  /// frozen realm, the value is the state of the realm's own version.
  public var replicaState: ReplicaState? {
    let store = session.store
    guard let lookout = store.replica,
      let shown = session.view.snapshot?.publication ?? store.readers.publication
    else { return nil }
    return lookout.state(of: shown)
  }
}
