package import StrataSchema

/// A property, in as few words as a test needs. A link, and what a map has for objects, is
/// optional.
package func property(
  _ name: String,
  _ type: PropertyType = .int,
  to target: String? = nil,
  _ collection: CollectionKind? = nil,
  column: String? = nil,
  optional: Bool? = nil,
  indexed: Bool = false,
  fullText: Bool = false
) -> Property {
  Property(
    name: name,
    columnName: column,
    type: type,
    objectClassName: target,
    collection: collection,
    isOptional: optional ?? (type == .object && (collection == nil || collection == .map)),
    isIndexed: indexed,
    hasTextIndex: fullText
  )
}

/// A link to one object, which is always optional.
package func link(_ name: String, to target: String) -> Property {
  property(name, .object, to: target)
}

/// Linking objects: the objects of a class that refer to this one.
package func linkingObjects(_ name: String, from origin: String, _ originProperty: String)
  -> Property
{
  Property(
    name: name,
    type: .linkingObjects,
    objectClassName: origin,
    linkOriginPropertyName: originProperty
  )
}

/// A class.
package func model(
  _ name: String,
  key: String? = nil,
  embedded: Bool = false,
  indexes: [[String]] = [],
  _ properties: Property...
) -> ObjectSchema {
  ObjectSchema(
    className: name, properties: properties, primaryKey: key, isEmbedded: embedded,
    compoundIndexes: indexes)
}

extension Schema {
  /// A schema of some classes.
  package init(_ classes: ObjectSchema...) {
    self.init(classes)
  }
}

/// The planner's defaults when every Swift default is the type's zero.
package func zeros(_ className: String, _ property: Property) -> ColumnDefault {
  .constant(.zero(for: property.type))
}
