import StrataStorage

/// A property to sort by, and the direction.
public struct SortDescriptor: Hashable, Sendable {
  /// The name of the property, or the names of links and a property with dots between them.
  public let keyPath: String

  /// Whether smaller values are first. Nil is smaller than any value.
  public let ascending: Bool

  /// Why nothing can be sorted by this.
  let mistake: String?

  /// Sorts by a property of this name.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
    mistake = nil
  }

  /// A descriptor that can't be one.
  init(mistake: String, ascending: Bool) {
    keyPath = ""
    self.ascending = ascending
    self.mistake = mistake
  }

  /// The same property in the opposite direction.
  public func reversed() -> SortDescriptor {
    if let mistake { return SortDescriptor(mistake: mistake, ascending: !ascending) }
    return SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: CustomStringConvertible {
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Sorts by the property of this name, smaller values first.
  public init(stringLiteral value: String) {
    self.init(keyPath: value)
  }
}

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
