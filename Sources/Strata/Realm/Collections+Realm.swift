extension ThreadConfined {
  /// The realm that it belongs to; nil for what is in no realm.
  public var realm: Realm? {
    _confined().map {
      Realm(session: $0.session, configuration: Realm.Configuration(openStore: $0.session.store))
    }
  }
}
