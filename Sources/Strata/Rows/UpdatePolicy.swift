/// A rule for adding an object if another object with the same primary key exists.
public enum UpdatePolicy: Sendable {
  /// The write fails with an error.
  case error
  /// The values that differ are written to the existing object. Objects that it leads to in its
  /// properties, lists and maps are changed in place if their class has no primary key.
  case modified
  /// All values are written to the existing object.
  case all
}
