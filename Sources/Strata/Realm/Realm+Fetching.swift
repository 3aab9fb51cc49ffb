extension Realm {
  /// Everything that a class, or a projection of one, has in the realm: `objects(_:)` for code that
  /// is generic over both.
  ///
  /// For a class that `objectTypes` lacks there are none: see `objects(_:)` of model classes.
  @_disfavoredOverload
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    results(of: Element._elementClass)
  }

  /// Everything that a model class has in the realm, as elements.
  func results<Element: RealmCollectionValue>(of model: ObjectBase.Type?) -> Results<Element> {
    session.reportPlace()
    guard let model else { return Results(nothing: Element.self) }
    if let table = session.table(model) { return Results(ObjectQuery(table), session) }
    session.note(.notManaged(model))
    // Such a class has no table, not even an empty one.
    if ClassInfo.lacksValues(model) { return Results(nothing: Element.self) }
    return Results(ObjectQuery(Table(unmanaged: model)), session)
  }
}
