extension Realm {
  /// All objects of a class, not of its subclasses, in the order in which they were added.
  ///
  /// For a class that `objectTypes` lacks there are none: inside of `write` that is the error which
  /// `write` throws, anywhere else it is reported through `IssueReporting`.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    results(of: type)
  }

  /// The object with a primary key; nil when there is none.
  ///
  /// For a class without a primary key, or a key of another type, there is none: inside of `write`
  /// that is the error which `write` throws, anywhere else it is reported through `IssueReporting`.
  public func object<Element: Object, Key>(
    ofType type: Element.Type, forPrimaryKey key: Key
  ) -> Element? {
    do {
      return try session.object(type, forPrimaryKey: key).map { unsafeDowncast($0, to: type) }
    } catch {
      session.report(error)
      return nil
    }
  }
}

extension ObjectBase {
  /// The realm that the object belongs to; nil for one that was not added, or was deleted.
  public var realm: Realm? {
    guard let session = _context as? Session else { return nil }
    return Realm(session: session, configuration: Realm.Configuration(openStore: session.store))
  }
}
