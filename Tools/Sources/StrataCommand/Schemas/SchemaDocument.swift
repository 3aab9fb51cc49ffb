import Strata
import StrataRealmFile
import StrataSchema

/// The classes of a file of Strata or of Realm, in one form.
struct SchemaDocument: Hashable {
  /// The path as the user wrote it.
  var path: String
  /// The schema version; nil for a file of Realm without one.
  var version: UInt64?
  var schema: Schema
  /// Classes of Realm whose objects are only sent to a server. Strata has none.
  var asymmetric: Set<String> = []
  /// The facts for older programs. A file of Realm has none.
  var facts = SchemaFacts()

  /// The kind of a class: `object`, `embedded` or `asymmetric`.
  func kind(of object: ObjectSchema) -> String {
    if asymmetric.contains(object.className) { return "asymmetric" }
    return object.isEmbedded ? "embedded" : "object"
  }

  /// The document with only the given classes.
  ///
  /// - Throws: ``UnknownClass``.
  func restricted(to names: [String]) throws(UnknownClass) -> SchemaDocument {
    guard !names.isEmpty else { return self }
    for name in names where schema[name] == nil {
      throw UnknownClass(name: name, known: schema.objectSchema.map(\.className))
    }
    var document = self
    document.schema = Schema(schema.objectSchema.filter { names.contains($0.className) })
    document.facts = facts.restricted(to: names)
    return document
  }

  /// A class that the file doesn't have.
  struct UnknownClass: Error {
    let name: String
    let known: [String]
  }
}

extension SchemaDocument {
  /// - Parameter history: The versions of a file of Strata up to the one that is shown.
  init(path: String, _ history: some Collection<SchemaVersion>, schema: Schema) {
    self.init(
      path: path, version: history.map(\.version).max(), schema: schema,
      facts: SchemaFacts(history.map(\.entry)))
  }

  init(path: String, _ file: RealmFile) {
    let classes = file.classes.map { item in
      ObjectSchema(
        className: item.name, properties: item.properties.map { Property($0) },
        primaryKey: item.primaryKey, isEmbedded: item.kind == .embedded)
    }
    self.init(
      path: path, version: file.schemaVersion, schema: Schema(classes),
      asymmetric: Set(file.classes.lazy.filter { $0.kind == .asymmetric }.map(\.name)))
  }
}
