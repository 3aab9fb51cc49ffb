package import StrataQuery
package import StrataSchema

/// The schema of a file, with the indexes that the studio needs.
package struct StudioSchema: Sendable {
  package let schema: Schema
  package let queries: QuerySchema
  let references: SchemaReferences
  /// The values that differ between a file of Realm and its copy.
  let changed: ChangedValues

  package init(_ schema: Schema, changed: ChangedValues = ChangedValues()) {
    self.changed = changed
    self.schema = schema
    queries = QuerySchema(schema)
    references = SchemaReferences(schema)
  }

  private static let shownNames = 30

  /// - Throws: ``RequestFailure`` with status 404 if there is no such class.
  func objectSchema(_ className: String) throws(RequestFailure) -> ObjectSchema {
    guard let found = schema[className] else {
      let names = schema.objectSchema.map(\.className)
      let shown = names.prefix(Self.shownNames).joined(separator: ", ")
      throw .gone(
        "The file has no class '\(PlainText.of(className))'. "
          + (names.isEmpty
            ? "It has none."
            : "It has: \(PlainText.of(shown))\(names.count > Self.shownNames ? " …" : "")."))
    }
    return found
  }

  /// - Throws: ``RequestFailure`` with status 404 if the class has no such property.
  func property(_ name: String, of className: String) throws(RequestFailure) -> Property {
    guard let found = try objectSchema(className)[name] else {
      throw .gone(
        "The class '\(PlainText.of(className))' has no property '\(PlainText.of(name))'. Load the "
          + "page again.")
    }
    return found
  }

  /// The property of a reference, as its class declares it.
  func property(of reference: Reference) -> Property? {
    schema[reference.origin.className]?.properties.first {
      SQLName.same($0.columnName, reference.property.columnName)
    }
  }
}

extension RequestFailure {
  /// The failure for something that doesn't exist, or not any more.
  static func gone(_ message: String) -> RequestFailure {
    RequestFailure(.notFound, "gone", message)
  }

  static func goneObject(_ className: String, _ identity: Int64) -> RequestFailure {
    gone(
      "There is no object \(identity) of '\(PlainText.of(className))' any more. Go back, or load the "
        + "page again.")
  }
}
