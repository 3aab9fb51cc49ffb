/// A choice for objects without a parent when their class becomes an embedded one.
public enum OrphanPolicy: Sendable, Hashable {
  /// The migration fails, and says how many there are, and which.
  case refuse
  /// They are deleted, with what is embedded in them.
  case delete
}
