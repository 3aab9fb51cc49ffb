public import StrataStorage

extension Realm {
  /// The state of the replica that this realm shows; nil for other realms.
  ///
  /// ```swift
  /// if let lag = realm.replicaState?.lag(), lag > .seconds(30) { health.report("\(lag) behind") }
  /// ```
  /// May be asked anywhere, often: it looks at one small file. A frozen realm says what is known of
  /// its own version.
  public var replicaState: ReplicaState? {
    let store = session.store
    guard let lookout = store.replica,
      let shown = session.view.snapshot?.publication ?? store.readers.publication
    else { return nil }
    return lookout.state(of: shown)
  }
}
