import StrataQuery

/// A property that changed.
///
/// The values are those that `object["name"]` gives: of an enum its raw value, of an
/// `AnyRealmValue` what is in it.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before the change; nil for nil, and for lists, sets and maps.
  public let oldValue: Any?
  /// The value after the change; nil for nil, and for lists, sets and maps.
  public let newValue: Any?
}
