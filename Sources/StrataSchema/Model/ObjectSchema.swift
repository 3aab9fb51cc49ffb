/// One class of the model: its name, its properties and its primary key.
public struct ObjectSchema: Sendable, Hashable {
  /// The name of the class, which is also the name of its table.
  public package(set) var className: String

  /// The persisted properties in the order in which the class declares them.
  ///
  /// Linking objects, which are not stored in a file, are excluded; the subscript finds them.
  public package(set) var properties: [Property]

  /// The properties that are derived from others: linking objects.
  package var computedProperties: [Property]

  /// The Swift name of the primary key property.
  package var primaryKey: String?

  /// Whether objects of the class are inside one parent (`EmbeddedObject`).
  package var isEmbedded: Bool

  /// The property names of each index of several properties, in the order of the index.
  public package(set) var compoundIndexes: [[String]]

  /// Creates the schema of a class. Nothing is checked: see ``SchemaValidator``.
  package init(
    className: String,
    properties: [Property],
    primaryKey: String? = nil,
    isEmbedded: Bool = false,
    compoundIndexes: [[String]] = []
  ) {
    self.className = className
    self.properties = properties.filter { !$0.isComputed }
    computedProperties = properties.filter(\.isComputed)
    self.primaryKey = primaryKey
    self.isEmbedded = isEmbedded
    self.compoundIndexes = compoundIndexes
    for index in self.properties.indices {
      self.properties[index].isPrimaryKey = self.properties[index].name == primaryKey
    }
  }

  /// All properties: the persisted ones, and then the computed ones.
  package var allProperties: [Property] { properties + computedProperties }

  /// The property that identifies objects of this class, if the class has one.
  public var primaryKeyProperty: Property? {
    primaryKey.flatMap { self[$0] }
  }

  /// The property with this Swift name; nil if not found.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
      ?? computedProperties.first { $0.name == propertyName }
  }

  /// Returns the property with this column name; nil if not found.
  package func property(column: String) -> Property? {
    properties.first { $0.columnName == column }
  }
}

extension ObjectSchema {
  /// The column that identifies a row: `_id`, or `_row_id` if a property has that column.
  ///
  /// SQLite ignores ASCII case in column names, so a property `_ID` occupies the name as well. A
  /// model may not have both names (``SchemaValidator``), but a table can, during a migration from
  /// one to the other. Then the identity gets a third name.
  package var identityColumn: String {
    func isTaken(_ name: String) -> Bool {
      properties.contains { $0.isStoredInColumn && SQLName.collide($0.columnName, name) }
    }
    var name = isTaken("_id") ? "_row_id" : "_id"
    while isTaken(name) { name += "_while_migrating" }
    return name
  }

  /// The class with its names in the file: names are column names, and computed properties are
  /// absent.
  package var stored: ObjectSchema {
    // Schemas from a file are in this form already, and this is called repeatedly.
    if isStored { return self }
    return ObjectSchema(
      className: className,
      properties: properties.map(\.stored),
      primaryKey: primaryKey.map { self[$0]?.columnName ?? $0 },
      isEmbedded: isEmbedded,
      compoundIndexes: compoundIndexes.map { $0.map { self[$0]?.columnName ?? $0 } }
    )
  }

  private var isStored: Bool {
    computedProperties.isEmpty
      && properties.allSatisfy {
        SQLName.same($0.name, $0.columnName) && $0.isPrimaryKey == ($0.name == primaryKey)
      }
  }
}

/// The stored form of a class: see ``Schema``.
extension ObjectSchema: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, primaryKey, embedded, properties, indexes
  }

  /// Reads the stored form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      className: try container.decode(String.self, forKey: .name),
      properties: try container.decode([Property].self, forKey: .properties),
      primaryKey: try container.decodeIfPresent(String.self, forKey: .primaryKey),
      isEmbedded: try container.decodeIfPresent(Bool.self, forKey: .embedded) ?? false,
      compoundIndexes: try container.decodeIfPresent([[String]].self, forKey: .indexes) ?? []
    )
  }

  /// Writes the stored form: column names, and no computed properties.
  public func encode(to encoder: any Encoder) throws {
    let stored = stored
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stored.className, forKey: .name)
    try container.encodeIfPresent(stored.primaryKey, forKey: .primaryKey)
    if stored.isEmbedded {
      try container.encode(true, forKey: .embedded)
    }
    try container.encode(stored.properties, forKey: .properties)
    if !stored.compoundIndexes.isEmpty {
      try container.encode(stored.compoundIndexes, forKey: .indexes)
    }
  }
}
