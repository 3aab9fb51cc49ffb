/// Stands for each element of a list, or each value of a dictionary, in a condition on an
/// `AnyRealmValue`: `$0.value[.any] == 3`.
public enum AnyElement: Sendable, Hashable {
  /// Each element.
  case any
}
