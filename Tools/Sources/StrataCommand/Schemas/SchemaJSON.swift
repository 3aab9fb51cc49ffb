import StrataSchema
import StrataStudio

extension JSONValue {
  /// A schema in the keys that the files of Strata have, with the file and its version.
  init(_ document: SchemaDocument) {
    self = [
      "file": .text(document.path),
      "schemaVersion": .optional(document.version) { .unsigned($0) },
      "classes": .array(
        document.schema.objectSchema.map { JSONValue($0, kind: document.kind(of: $0)) }),
    ]
  }

  init(_ object: ObjectSchema, kind: String) {
    self = [
      "name": .text(object.className),
      "kind": .text(kind),
      "primaryKey": .optional(object.primaryKey) { .text($0) },
      "properties": .array(object.properties.map { JSONValue($0) }),
      "compoundIndexes": .array(
        object.compoundIndexes.map { .array($0.map { .text($0) }) }),
    ]
  }

  /// Each key is there for each property, so that a program needs no default values.
  private init(_ property: Property) {
    self = [
      "name": .text(property.name),
      "type": .text(property.type.rawValue),
      "target": .optional(property.objectClassName) { .text($0) },
      "collection": .optional(property.collection) { .text($0.rawValue) },
      "optional": .bool(property.allowsNil),
      "indexed": .bool(property.wantsIndex),
      "fullText": .bool(property.wantsTextIndex),
      "swiftType": .text(property.swiftType),
    ]
  }
}
