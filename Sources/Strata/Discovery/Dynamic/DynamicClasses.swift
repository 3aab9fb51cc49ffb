/// The classes of a file that a realm has without a class of the program: see
/// ``RealmConfiguration/dynamicClasses``.
public enum DynamicClasses: Sendable {
  /// No others than those of the program.
  case none
  /// Those of the program, and each class of the file that the program lacks.
  case others
  /// Those of the file. Classes of the program are not used.
  case all
}
