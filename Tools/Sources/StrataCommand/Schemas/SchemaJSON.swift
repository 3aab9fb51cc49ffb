import StrataSchema
import StrataStudio

extension SchemaDocument {
  /// All classes as JSON.
  var classes: JSONValue {
    .array(schema.objectSchema.map { JSONValue($0, kind: kind(of: $0)) })
  }
}

extension JSONValue {
  /// A schema as JSON, with the same keys as in files of Strata, and the path and the version.
  init(_ document: SchemaDocument) {
    self = .joined(
      [
        "file": .text(document.path),
        "schemaVersion": .optional(document.version) { .unsigned($0) },
        "classes": document.classes,
      ], document.facts.json)
  }

  fileprivate init(_ object: ObjectSchema, kind: String) {
    self = [
      "name": .text(object.className),
      "kind": .text(kind),
      "primaryKey": .optional(object.primaryKey) { .text($0) },
      "properties": .array(object.properties.map { JSONValue($0) }),
      "compoundIndexes": .array(
        object.compoundIndexes.map { .array($0.map { .text($0) }) }),
    ]
  }

  /// Writes every key for every property, so that readers need no default values.
  init(_ property: Property) {
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
