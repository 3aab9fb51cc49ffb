import StrataSchema
import StrataStudio

/// The Swift source that declares the classes of a file.
///
/// A program with these classes opens the file at its version, without a migration.
enum SwiftSource {
  static func lines(_ document: SchemaDocument) -> [String] {
    let classes = document.schema.objectSchema.filter { document.kind(of: $0) != "asymmetric" }
    let names = SwiftNames(classes: classes.map(\.className))
    let version = document.version.map { "schema version \($0)" } ?? "no schema version"
    return ["// The classes of '\(PlainText.of(document.path))', which is at \(version).", ""]
      + ["import Foundation", "import Strata"]
      + classes.flatMap { [""] + declaration($0, names) }
      + document.asymmetric.sorted().flatMap {
        ["", "// '\(PlainText.of($0))' is an asymmetric class, a kind that Strata doesn't have."]
      }
  }

  private static func declaration(_ object: ObjectSchema, _ classes: SwiftNames) -> [String] {
    let properties = SwiftNames(properties: object.properties.map(\.name))
    let base = object.isEmbedded ? "EmbeddedObject" : "Object"
    let first = "class \(classes.declaration(of: object.className)): \(base) {"
    let blocks = [
      object.properties.map { property($0, of: object, classes, properties) },
      className(of: object, classes), mapping(of: object, properties),
      indexes(of: object, properties), compoundIndexes(of: object, properties),
      primaryKey(of: object, properties),
    ].filter { !$0.isEmpty }
    return [first] + blocks.joined(separator: [""]).map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
  }

  private static func property(
    _ property: Property, of object: ObjectSchema, _ classes: SwiftNames, _ properties: SwiftNames
  ) -> String {
    let attribute =
      switch Attribute(of: property, in: object) {
      case .fullText: "@Persisted(fullText: true)"
      case .primaryKey: "@Persisted(primaryKey: true)"
      case .indexed: "@Persisted(indexed: true)"
      case nil: "@Persisted"
      }
    let type = property.type(generic: ("<", ">")) { classes.name(of: $0) }
    return "\(attribute) var \(properties.declaration(of: property.name)): \(type)"
  }

  /// The attribute of a property. A property can have only one.
  private enum Attribute {
    case fullText, primaryKey, indexed

    init?(of property: Property, in object: ObjectSchema) {
      if property.wantsTextIndex {
        self = .fullText
      } else if property.name == object.primaryKey {
        self = .primaryKey
      } else if property.wantsIndex {
        self = .indexed
      } else {
        return nil
      }
    }
  }

  private static func className(of object: ObjectSchema, _ classes: SwiftNames) -> [String] {
    guard classes.name(of: object.className) != object.className else { return [] }
    return [
      "override class func className() -> String { \(SwiftNames.literal(object.className)) }"
    ]
  }

  private static func mapping(of object: ObjectSchema, _ properties: SwiftNames) -> [String] {
    let renamed = object.properties.filter { properties.name(of: $0.name) != $0.name }
    guard !renamed.isEmpty else { return [] }
    return ["override class func propertiesMapping() -> [String: String] {", "  ["]
      + renamed.map {
        "    \(SwiftNames.literal(properties.name(of: $0.name))): \(SwiftNames.literal($0.name)),"
      } + ["  ]", "}"]
  }

  /// The declaration of indexes that no attribute covers.
  private static func indexes(of object: ObjectSchema, _ properties: SwiftNames) -> [String] {
    let names = object.properties.filter {
      $0.wantsIndex && Attribute(of: $0, in: object) != .indexed
    }.map { SwiftNames.literal(properties.name(of: $0.name)) }
    guard !names.isEmpty else { return [] }
    let list = names.joined(separator: ", ")
    return ["override class func indexedProperties() -> [String] { [\(list)] }"]
  }

  private static func compoundIndexes(
    of object: ObjectSchema, _ properties: SwiftNames
  ) -> [String] {
    guard !object.compoundIndexes.isEmpty else { return [] }
    let lists = object.compoundIndexes.map { names in
      "[\(names.map { SwiftNames.literal(properties.name(of: $0)) }.joined(separator: ", "))]"
    }
    let list = lists.joined(separator: ", ")
    return ["override class func compoundIndexes() -> [[String]] { [\(list)] }"]
  }

  /// The declaration of a primary key that also has a full-text index.
  private static func primaryKey(of object: ObjectSchema, _ properties: SwiftNames) -> [String] {
    guard let key = object.primaryKeyProperty, key.wantsTextIndex else { return [] }
    let name = SwiftNames.literal(properties.name(of: key.name))
    return ["override class func primaryKey() -> String? { \(name) }"]
  }
}
