import StrataSchema

/// The tables of a file in PostgreSQL, in the order of their creation.
///
/// Each class and each collection is a table with its name in the file. Names that PostgreSQL can't
/// hold are changed; ``renamed`` lists them.
struct PostgresSchema: Hashable {
  /// A table or column whose name was changed.
  struct Renaming: Hashable {
    /// The name in the file: `Person`, `Person.name`.
    var title: String
    /// The name in PostgreSQL.
    var table: String
    /// Nil for the table itself.
    var column: String?
  }

  private(set) var tables: [PostgresTable] = []
  private(set) var renamed: [Renaming] = []
  private(set) var versionTable: String
  private var names = PostgresNames()

  init(_ schema: Schema) {
    let schema = schema.stored
    versionTable = names.take("strata_schema_version")
    let classes = schema.objectSchema
    // Tables come first: users never see the changed name of an index.
    let collections = classes.flatMap { object in object.collectionTables.map { (object, $0) } }
    let classNames = classes.map { takeTable($0.className, title: $0.className) }
    let collectionNames = collections.map { _, table in
      takeTable(table.name, title: "\(table.className).\(table.property.name)")
    }
    var identities: [String: (table: String, column: String, schema: ObjectSchema)] = [:]
    var columnNames: [[String: String]] = []
    for (object, name) in zip(classes, classNames) {
      let columns = takeColumns(of: object, in: name)
      columnNames.append(columns)
      identities[object.className] = (name, columns[object.identityColumn] ?? "", object)
    }
    func reference(
      _ className: String?, _ onDelete: PostgresReference.Deletion
    ) -> PostgresReference? {
      guard let className, let target = identities[className] else { return nil }
      return PostgresReference(
        table: target.table, column: target.column, sourceTable: className,
        sourceIdentity: target.schema.identityColumn, onDelete: onDelete,
        isEmbedded: target.schema.isEmbedded)
    }
    for (index, object) in classes.enumerated() {
      tables.append(
        table(object, classNames[index], columnNames[index]) { reference($0, .setNull) })
    }
    for ((object, collection), name) in zip(collections, collectionNames) {
      tables.append(
        table(
          collection, name, owner: reference(object.className, .cascade),
          value: collection.property.type == .object
            ? reference(
              collection.property.objectClassName, collection.isNullable ? .setNull : .cascade)
            : nil))
    }
  }

  // MARK: Names

  private mutating func takeTable(_ wanted: String, title: String) -> String {
    let name = names.take(wanted)
    if !SQLName.same(name, wanted) {
      renamed.append(Renaming(title: title, table: name, column: nil))
    }
    return name
  }

  private mutating func takeColumns(of object: ObjectSchema, in table: String) -> [String: String] {
    var taken = PostgresNames(reserved: PostgresName.systemColumns)
    var result: [String: String] = [:]
    let columns = object.properties.filter(\.isStoredInColumn).map(\.columnName)
    for column in [object.identityColumn] + columns {
      let name = taken.take(column)
      result[column] = name
      if !SQLName.same(name, column) {
        renamed.append(
          Renaming(title: "\(object.className).\(column)", table: table, column: name))
      }
    }
    return result
  }

  // MARK: Tables

  private mutating func table(
    _ object: ObjectSchema, _ name: String, _ names: [String: String],
    _ reference: (String?) -> PostgresReference?
  ) -> PostgresTable {
    var columns = [
      PostgresColumn(
        name: names[object.identityColumn] ?? "", valueType: .int, isRequired: true,
        source: object.identityColumn)
    ]
    for property in object.properties where property.isStoredInColumn {
      columns.append(
        PostgresColumn(
          name: names[property.columnName] ?? "", valueType: property.type,
          isRequired: !property.isNullable, source: property.columnName,
          typeSource: property.typeColumnName,
          reference: property.type == .object ? reference(property.objectClassName) : nil))
    }
    return PostgresTable(
      name: name, source: object.className, content: .objects, title: object.className,
      columns: columns, indexes: indexes(of: object, columns))
  }

  private mutating func indexes(
    of object: ObjectSchema, _ columns: [PostgresColumn]
  ) -> [PostgresIndex] {
    let table = object.className
    var indexes: [PostgresIndex] = []
    func name(_ source: String) -> String { columns.first { $0.source == source }?.name ?? "" }
    for property in object.properties where property.isStoredInColumn {
      let column = property.columnName
      let plainName = IndexSQL.name(table: table, column: column)
      let isKey = object.primaryKey.map { SQLName.same($0, property.name) } ?? false
      if isKey {
        indexes.append(index(plainName, .unique, [name(column)]))
        if property.isNullable {
          indexes.append(
            index(IndexSQL.nilName(table: table, column: column), .uniqueNil, [name(column)]))
        }
      } else if property.type == .object {
        let reference = columns.first { $0.source == column }?.reference
        indexes.append(
          index(plainName, reference?.isEmbedded == true ? .child : .plain, [name(column)]))
      } else if property.wantsIndex {
        indexes.append(index(plainName, .plain, [name(column)]))
      }
      if property.wantsTextIndex {
        indexes.append(
          index(
            StrataSchema.TextTable.name(className: table, column: column), .text, [name(column)]))
      }
    }
    for compound in object.compoundIndexes {
      indexes.append(
        index(IndexSQL.name(table: table, columns: compound), .plain, compound.map(name)))
    }
    return indexes
  }

  private mutating func index(
    _ wanted: String, _ kind: PostgresIndex.Kind, _ columns: [String]
  ) -> PostgresIndex {
    PostgresIndex(name: names.take(wanted), kind: kind, columns: columns)
  }

  private mutating func table(
    _ collection: CollectionTable, _ name: String, owner: PostgresReference?,
    value: PostgresReference?
  ) -> PostgresTable {
    var columns = [
      PostgresColumn(
        name: CollectionTable.owner, valueType: .int, isRequired: true,
        source: CollectionTable.owner, reference: owner)
    ]
    if let slot = collection.slot {
      columns.append(
        PostgresColumn(
          name: slot, valueType: collection.kind == .map ? .string : .int, isRequired: true,
          source: slot))
    }
    columns.append(
      PostgresColumn(
        name: CollectionTable.value, valueType: collection.property.type,
        isRequired: !collection.isNullable, source: CollectionTable.value,
        typeSource: collection.typeColumnName, reference: value))
    return PostgresTable(
      name: name, source: collection.name, content: .elements(collection.kind),
      title: "\(collection.className).\(collection.property.name)", columns: columns,
      indexes: indexes(of: collection, isEmbedded: value?.isEmbedded == true))
  }

  private mutating func indexes(
    of collection: CollectionTable, isEmbedded: Bool
  ) -> [PostgresIndex] {
    let (owner, value) = (CollectionTable.owner, CollectionTable.value)
    let byValue = IndexSQL.name(table: collection.name, column: value)
    var indexes: [PostgresIndex] = []
    if let key = collection.primaryKey {
      indexes.append(index("\(collection.name) key", .primaryKey, key))
    } else {
      indexes.append(index(byValue, .unique, [owner, value]))
      indexes.append(
        index(IndexSQL.nilName(table: collection.name, column: value), .uniqueNil, [owner, value]))
    }
    if collection.property.type == .object {
      indexes.append(index(byValue, isEmbedded ? .child : .plain, [value]))
    }
    if collection.property.wantsIndex {
      indexes.append(
        index(
          IndexSQL.elementsName(table: collection.name), .plain,
          collection.kind == .map ? [CollectionTable.key, value] : [value]))
    }
    return indexes
  }
}
