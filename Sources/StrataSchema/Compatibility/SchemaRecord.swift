/// The record of a version in a file: the classes, and the facts by which programs of older
/// versions find their objects.
///
/// Stored as the JSON of the schema with up to three more members, which older releases of the
/// library ignore:
///
/// ```json
/// { "format": 1, "classes": [ … ],
///   "renamed": { "classes": { "Person": "Human" },
///                "properties": { "Human": { "age": "years" } } },
///   "retired": [{ "class": "Human", "since": 5,
///                 "property": { "name": "notes", "type": "string" } }],
///   "perObject": { "Human": ["token"] } }
/// ```
package struct SchemaRecord: Sendable, Hashable {
  /// The classes of the version, in their stored form.
  package var schema: Schema
  /// The renames since the version that was recorded before.
  package var names = ChangedNames()
  /// The properties that the classes no longer have, and whose values the file keeps for older
  /// programs.
  package var retired: [RetiredProperty] = []
  /// The columns whose default in the table isn't the default of the class, because the class has
  /// another default for each object. By class.
  package var perObject: [String: Set<String>] = [:]

  package init(_ schema: Schema) { self.schema = schema }

  /// The classes with the retired properties after their own.
  package var schemaWithRetired: Schema {
    guard !retired.isEmpty else { return schema }
    var result = schema
    for retired in retired {
      guard var object = result[retired.className] else { continue }
      object.properties.append(retired.property)
      result.update(object)
    }
    return result
  }
}

/// A property that was removed from its class, and whose values the file keeps for programs of
/// older versions.
package struct RetiredProperty: Sendable, Hashable, Codable {
  /// The present name of the class.
  package var className: String
  /// The property, by its column.
  package var property: Property
  /// The first version without the property.
  package var since: UInt64

  package init(className: String, property: Property, since: UInt64) {
    self.className = className
    self.property = property
    self.since = since
  }

  /// Returns the property after a class was renamed. The table of a collection keeps its name.
  package func renaming(_ old: String, to new: String) -> RetiredProperty {
    var result = self
    if className == old {
      result.property.tableName = CollectionTable(className: old, property: property)?.name
      result.className = new
    }
    if property.objectClassName == old { result.property.objectClassName = new }
    return result
  }

  /// Whether the class has a property that needs the name of a column or of the table of this
  /// property.
  package func conflicts(with object: ObjectSchema) -> Bool {
    let columns = Set(property.columns.map { SQLName.folded($0.name) })
    return object.properties.contains { other in
      SQLName.collide(other.columnName, property.columnName)
        || other.columns.contains { columns.contains(SQLName.folded($0.name)) }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case className = "class"
    case property, since
  }
}

extension SchemaRecord: Codable {
  private enum CodingKeys: String, CodingKey {
    case renamed, retired, perObject
  }

  /// Reads the stored form. A file of an older release of the library has the schema alone.
  package init(from decoder: any Decoder) throws {
    schema = try Schema(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    names = try container.decodeIfPresent(ChangedNames.self, forKey: .renamed) ?? ChangedNames()
    retired = try container.decodeIfPresent([RetiredProperty].self, forKey: .retired) ?? []
    let lists = try container.decodeIfPresent([String: [String]].self, forKey: .perObject) ?? [:]
    perObject = lists.mapValues { Set($0) }
  }

  /// Writes the stored form. Members without content are left out.
  package func encode(to encoder: any Encoder) throws {
    try schema.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    if names != ChangedNames() { try container.encode(names, forKey: .renamed) }
    if !retired.isEmpty { try container.encode(retired, forKey: .retired) }
    let lists = perObject.filter { !$0.value.isEmpty }.mapValues { $0.sorted() }
    if !lists.isEmpty { try container.encode(lists, forKey: .perObject) }
  }
}
