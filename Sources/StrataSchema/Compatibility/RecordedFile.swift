/// The versions that a file has had, and the defaults in its tables.
package struct RecordedFile: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var version: UInt64
    package var record: SchemaRecord
    /// The oldest version of programs that may read the file; nil if the classes alone decide.
    package var oldestReader: UInt64?
    /// The oldest version of programs that may write to the file; nil if the classes alone decide.
    package var oldestWriter: UInt64?

    package init(
      _ version: UInt64, _ record: SchemaRecord, oldestReader: UInt64? = nil,
      oldestWriter: UInt64? = nil
    ) {
      self.version = version
      self.record = record
      self.oldestReader = oldestReader
      self.oldestWriter = oldestWriter
    }
  }

  /// The versions in ascending order. The last one is the version of the file.
  package var versions: [Entry]
  /// The columns with a default in their table, by table; both folded as SQLite compares them.
  package var defaults: [String: Set<String>]

  package init(_ versions: [Entry], defaults: [String: Set<String>]) {
    self.versions = versions
    self.defaults = defaults
  }

  /// Creates the facts from the columns of the file.
  package init(_ versions: [Entry], columns: [CatalogColumn]) {
    self.init(versions, defaults: [:])
    for column in columns where column.defaultSQL != nil {
      defaults[SQLName.folded(column.table), default: []].insert(SQLName.folded(column.name))
    }
  }

  func hasDefault(_ property: Property, of className: String) -> Bool {
    let columns = defaults[SQLName.folded(className)] ?? []
    return columns.contains(SQLName.folded(property.columnName))
  }
}

extension RecordedFile {
  /// Returns the function that decides whether a removed property is retired.
  ///
  /// - Parameter dropped: The properties that are dropped even then, as `Person.age`.
  package func removals(
    besides dropped: Set<String>
  ) -> (_ className: String, _ property: Property) -> SchemaTranslator.Removal {
    { className, property in
      if dropped.contains("\(className).\(property.columnName)") { return .drop }
      let needsDefault = property.isStoredInColumn && !property.isNullable
      return needsDefault && !hasDefault(property, of: className) ? .retireWithDefault : .retire
    }
  }

  /// Begins a migration to the next version, with its renames.
  ///
  /// - Parameter droppedRetired: The version up to which retired properties are dropped.
  package mutating func begin(
    _ version: UInt64, _ names: ChangedNames, droppedRetired: UInt64? = nil
  ) {
    var record = versions.last?.record ?? SchemaRecord(Schema())
    record.names = names
    if let droppedRetired { record.retired.removeAll { $0.since <= droppedRetired } }
    for (old, new) in names.classes {
      record.renameClass(old, to: new)
      defaults[SQLName.folded(new)] = defaults.removeValue(forKey: SQLName.folded(old))
    }
    for (className, columns) in names.properties {
      for (old, new) in columns {
        record.renameColumn(old, of: className, to: new)
        if defaults[SQLName.folded(className)]?.remove(SQLName.folded(old)) != nil {
          defaults[SQLName.folded(className)]?.insert(SQLName.folded(new))
        }
      }
    }
    versions.append(Entry(version, record))
  }

  /// Makes the operations of the migration, whose last version is the one that has begun.
  ///
  /// - Parameter tableDefaults: The `DEFAULT` clauses of a table that is created; nil for a class
  ///   that the program doesn't have.
  package mutating func apply(
    _ operations: [TableOperation], to schema: Schema,
    tableDefaults: (_ className: String) -> [String: String]?
  ) {
    guard var entry = versions.popLast() else { return }
    entry.record.schema = schema.stored
    for operation in operations {
      entry.record.add(operation, version: entry.version, tableDefaults: tableDefaults)
      switch operation {
      case .createTable(let object):
        defaults[SQLName.folded(object.className)] = folded(
          (tableDefaults(object.className) ?? [:]).keys)
      case .addColumn(let table, let property, _):
        guard !property.isNullable else { continue }
        defaults[SQLName.folded(table), default: []].insert(SQLName.folded(property.columnName))
      case .rebuildTable(let rebuild):
        guard let new = tableDefaults(rebuild.table) else { continue }
        let own = folded(rebuild.target.properties.map(\.columnName))
        let others = defaults[SQLName.folded(rebuild.table), default: []].subtracting(own)
        defaults[SQLName.folded(rebuild.table)] = others.union(folded(new.keys))
      case .retire(let table, let property):
        defaults[SQLName.folded(table), default: []].insert(SQLName.folded(property.columnName))
      default: break
      }
    }
    versions.append(entry)
  }

  /// Sets the limits that the last version declares.
  package mutating func limit(oldestReader: UInt64?, oldestWriter: UInt64?) {
    guard !versions.isEmpty else { return }
    versions[versions.count - 1].oldestReader = oldestReader
    versions[versions.count - 1].oldestWriter = oldestWriter
  }

  private func folded(_ columns: some Sequence<String>) -> Set<String> {
    Set(columns.map { SQLName.folded($0) })
  }
}

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

extension SchemaRecord {
  /// Adds the effect of an operation on the facts for older programs. The retired properties of a
  /// dropped class have been dropped before.
  ///
  /// - Parameter tableDefaults: The `DEFAULT` clauses that a table gets when it is created; nil for
  ///   a class that the program doesn't have.
  package mutating func add(
    _ operation: TableOperation, version: UInt64,
    tableDefaults: (_ className: String) -> [String: String]?
  ) {
    switch operation {
    case .addColumn(let table, let property, let value):
      // Other types have no generated default, so no object of the class is created for them.
      let canBeGenerated = DefaultSQL.generated(property.type) != nil && !property.isNullable
      let generated = canBeGenerated ? tableDefaults(table)?[property.columnName] : nil
      guard value == .perRow || generated.map(DefaultSQL.isGenerated) ?? false else { return }
      perObject[table, default: []].insert(property.columnName)
    case .rebuildTable(let rebuild):
      if tableDefaults(rebuild.table) != nil { perObject[rebuild.table] = nil }
    case .dropColumn(let table, let column): perObject[table]?.remove(column)
    case .renameColumn(let table, let old, let new): renameColumn(old, of: table, to: new)
    case .retire(let table, let property):
      retired.append(RetiredProperty(className: table, property: property, since: version))
    case .dropTable(let table, _): perObject[table] = nil
    case .renameTable(let table, let new, _): renameClass(table, to: new)
    default: break
    }
  }

  fileprivate mutating func renameClass(_ old: String, to new: String) {
    retired = retired.map { $0.renaming(old, to: new) }
    perObject[new] = perObject.removeValue(forKey: old)
  }

  fileprivate mutating func renameColumn(_ old: String, of className: String, to new: String) {
    if perObject[className]?.remove(old) != nil { perObject[className]?.insert(new) }
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
