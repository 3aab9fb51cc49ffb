/// Something in a file of Realm that a file of this library can't hold: what, and where.
public struct ConversionFinding: Sendable, Hashable {
  /// The kind of what can't be held.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A `Float` or `Double` that is NaN.
    case nan
    /// A date before the year 0 or after 9999.
    case date
    /// A text, or the key of a map, that is not UTF-8.
    case invalidText
    /// A link to an object that the file doesn't have.
    case danglingLink
    /// A set inside of an `AnyRealmValue`, or more than 100 lists and maps inside of each other.
    case nestedCollection
    /// A required value that is nil in the file.
    case missingValue
    /// Objects with the same primary key, or entries of a map with the same key.
    case duplicateKey
    /// An embedded object with several parents, or several times in one.
    case sharedObject
    /// An embedded object without a parent.
    case orphan
    /// A class of objects that Realm only sends to a server.
    case asymmetricClass
    /// A class in which a synchronised file keeps accounts of its own.
    case bookkeepingClass
    /// A property that leads to the objects of a class that is left out.
    case omittedProperty
    /// A name, or another part of the schema, that tables can't have.
    case schema
    /// A schema version above `Int64.max`.
    case schemaVersion
  }

  /// What can't be held.
  public let kind: Kind
  /// The class; nil for the schema as a whole.
  public let className: String?
  /// The property, as the file names it.
  public let property: String?
  /// The key that Realm gave to the object: `RealmFile.object(_:key:)` reads it.
  public let objectKey: Int64?
  /// What is wrong with the schema, for problems of a schema.
  package let detail: String?

  package init(
    _ kind: Kind, className: String? = nil, property: String? = nil, objectKey: Int64? = nil,
    detail: String? = nil
  ) {
    self.kind = kind
    self.className = className
    self.property = property
    self.objectKey = objectKey
    self.detail = detail
  }
}
