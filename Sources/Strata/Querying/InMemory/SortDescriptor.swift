import StrataStorage

/// A property to sort by, and a direction.
public struct SortDescriptor: Hashable, Sendable {
  /// The name of the property, or the names of links and a property with dots between them.
  public let keyPath: String

  /// Whether the order is ascending. Nil is smaller than any value.
  public let ascending: Bool

  /// The reason why this descriptor is invalid.
  let mistake: String?

  /// Sorts by the property of the given name.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
    mistake = nil
  }

  /// Creates an invalid descriptor.
  init(mistake: String, ascending: Bool) {
    keyPath = ""
    self.ascending = ascending
    self.mistake = mistake
  }

  /// Returns a descriptor with the opposite direction.
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
  /// Sorts by the property of the given name, in ascending order.
  public init(stringLiteral value: String) {
    self.init(keyPath: value)
  }
}

extension SortDescriptor {
  /// Sorts by the property of a key path, which may lead through optional links.
  ///
  /// ```swift
  /// people.sorted(by: [SortDescriptor(keyPath: \Person.dog?.name), "age"])
  /// ```
  ///
  /// A key path that computes a value is an error, and the sorted results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported.
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
