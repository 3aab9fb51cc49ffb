/// The base class of models whose objects are part of another object.
///
/// An embedded object has exactly one parent: it is added to a realm when it is assigned to a
/// property of its parent or added to one of its lists or maps, and deleted when it is replaced or
/// removed, or when its parent is deleted.
///
/// ```swift
/// class Address: EmbeddedObject { @Persisted var city = "" }
/// class Person: Object {
///   @Persisted var address: Address?
///   @Persisted var formerAddresses: List<Address>
/// }
/// ```
open class EmbeddedObject: ObjectBase {
}
