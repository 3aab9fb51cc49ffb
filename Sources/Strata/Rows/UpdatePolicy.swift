/// A rule for adding an object whose primary key another one has.
public enum UpdatePolicy: Sendable {
  /// The write fails with an error.
  case error
  /// The values that differ are written to the object that is there. What it leads to in its
  /// properties, lists and maps is changed where it is, if its class has no primary key.
  case modified
  /// All values are written to the object that is there.
  case all
}
