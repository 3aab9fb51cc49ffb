/// The kinds of collections that a property may be.
public enum CollectionKind: String, Sendable, Hashable, Codable {
  /// `List`: ordered, values may repeat.
  case list
  /// `MutableSet`: unordered, each value once.
  case set
  /// `Map`: values by string key.
  case map
}
