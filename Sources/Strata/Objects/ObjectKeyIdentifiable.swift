/// A model with an identity that views can tell its objects apart by.
///
/// ```swift
/// class Dog: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
/// ```
///
/// A class with a property `id` of its own is identified by that. A projection may conform as well:
/// it has the identity of its object.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for all instances of an object in a realm, as long as it is there.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  public var id: UInt64 { instanceIdentity }
}

extension ObjectBase {
  /// The same for all instances of an object in a realm, and of one that is in none for itself.
  var instanceIdentity: UInt64 {
    guard managedContext != nil else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    return UInt64(bitPattern: _rowID)
  }
}
