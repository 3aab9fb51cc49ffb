/// The kinds of indexes that a property declares.
public enum RealmIndex: String, Sendable, Hashable, CaseIterable {
  case general
  case fullText
}
