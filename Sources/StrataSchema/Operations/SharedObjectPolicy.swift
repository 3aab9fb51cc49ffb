/// A choice for objects with several parents when their class becomes an embedded one.
public enum SharedObjectPolicy: Sendable, Hashable {
  /// The migration fails, and says which they are, and whose.
  case refuse
  /// The first parent keeps the object, each other one gets a copy. What is embedded in the object
  /// is copied as well; objects that it links to are not.
  case copy
}
