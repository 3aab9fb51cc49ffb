/// A property to sort by, and the direction.
public struct SortDescriptor: Hashable, Sendable {
  /// The name of the property.
  public let keyPath: String

  /// Whether smaller values are first. Nil is smaller than any value.
  public let ascending: Bool

  /// Sorts by a property of this name.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// The same property in the opposite direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
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
