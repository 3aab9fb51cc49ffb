import StrataStorage

extension RealmCollection where Element: ObjectBase {
  /// The first of those objects that have the same values of some properties.
  ///
  /// ```swift
  /// realm.objects(Person.self).distinct(by: [\Person.name, \.dog?.name])
  /// ```
  ///
  /// As `distinct(by:)` with the names of the properties. A key path that computes something is a
  /// mistake, which gives no objects: `write` throws it, anywhere else it is reported.
  public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
  where KeyPaths.Element == PartialKeyPath<Element> {
    var names: [String] = []
    for keyPath in keyPaths {
      guard let name = keyPathString(of: keyPath) else {
        return _results.none(
          RealmError(
            .fail,
            ErrorText.computedKeyPath(
              Element.className(), "\(type(of: keyPath).valueType)")))
      }
      names.append(name)
    }
    return distinct(by: names)
  }
}
