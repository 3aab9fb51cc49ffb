import StrataQuery

/// A change, as an observer of an object hears it.
public enum ObjectChange<T> {
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
  /// Properties changed: the object, and each of them in the order of declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted; it is the last call.
  case deleted
}
