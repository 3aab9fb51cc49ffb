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

  init(path: String, version: UInt64?, schema: Schema) {
    self.path = path
    self.version = version
    self.schema = schema
  }

  /// - Parameter history: The versions of a file of Strata up to the one that is shown.
  init(path: String, _ history: some Collection<SchemaVersion>, schema: Schema) {
    self.init(path: path, version: history.map(\.version).max(), schema: schema)
    facts = SchemaFacts(history.map(\.entry))
  }

  init(path: String, _ file: RealmFile) {
    self.path = path
    version = file.schemaVersion
    let classes = file.classes
    schema = Schema(
      classes.map { item in
        ObjectSchema(
          className: item.name, properties: item.properties.map { Property($0) },
          primaryKey: item.primaryKey, isEmbedded: item.kind == .embedded)
      })
    asymmetric = Set(classes.lazy.filter { $0.kind == .asymmetric }.map(\.name))
  }

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
