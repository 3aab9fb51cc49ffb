extension ThreadConfined {
  /// The realm of the value; nil for an unmanaged value.
  public var realm: Realm? {
    _confined().map {
      Realm(session: $0.session, configuration: Realm.Configuration(openStore: $0.session.store))
    }
  }
}
