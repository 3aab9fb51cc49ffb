import StrataStorage

extension SortDescriptor {
  /// Sorts by the property that a key path reads, also through optional links.
  ///
  /// ```swift
  /// people.sorted(by: [SortDescriptor(keyPath: \Person.dog?.name), "age"])
  /// ```
  ///
  /// A key path that computes something is a mistake: objects sorted by it are none, and `write`
  /// throws it, or it is reported.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    guard let name = keyPathString(of: keyPath) else {
      self.init(
        mistake: ErrorText.computedKeyPath(
          Element.className(), "\(type(of: keyPath).valueType)"), ascending: ascending)
      return
    }
    self.init(keyPath: name, ascending: ascending)
  }
}
