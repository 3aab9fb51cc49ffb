/// The kinds of collections in a file.
public enum RealmCollectionKind: String, Sendable, Hashable, CaseIterable {
  case list
  case set
  /// Values by keys, which are texts.
  case dictionary
}
