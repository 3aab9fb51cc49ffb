/// The table with the elements of a collection.
///
/// ```sql
/// CREATE TABLE "Person_dogs" (
///   "owner" INTEGER NOT NULL REFERENCES "Person" ON DELETE CASCADE,
///   "position" INTEGER NOT NULL,
///   "value" INTEGER NOT NULL REFERENCES "Dog" ON DELETE CASCADE,
///   PRIMARY KEY ("owner", "position")
/// ) STRICT, WITHOUT ROWID
/// ```
package struct CollectionTable: Sendable, Hashable {
  /// The column with the identity of the object that has the collection.
  package static let owner = "owner"
  /// The column of a list that orders its elements.
  package static let position = "position"
  /// The column of a map with the key of an entry.
  package static let key = "key"
  /// The column with the element; for an object, its identity.
  package static let value = "value"
  /// The column with the type of an `AnyRealmValue`, beside its value.
  package static let valueType = "value_type"

  /// The class that has the collection.
  package let className: String
  /// The collection with its name in the file.
  package let property: Property
  package let kind: CollectionKind

  /// Creates the table of a property; nil unless the property is a collection.
  package init?(className: String, property: Property) {
    guard let kind = property.collection, !property.isComputed else { return nil }
    self.className = className
    self.kind = kind
    var property = property.stored
    // Tables with the same definition must be equal.
    property.allowsNil = property.isNullable
    self.property = property
  }

  /// Returns the name of a collection's table: the default, unless the property has another one.
  package static func name(className: String, property: Property) -> String {
    property.tableName ?? usualName(className: className, column: property.columnName)
  }

  /// Returns the default name of a table: `Person_dogs`.
  package static func usualName(className: String, column: String) -> String {
    "\(className)_\(column)"
  }

  package var name: String { Self.name(className: className, property: property) }

  package var usualName: String {
    Self.usualName(className: className, column: property.columnName)
  }

  /// Whether an element may be NULL.
  ///
  /// A deleted object leaves a list or a set, but the entry of a map stays, with nil.
  package var isNullable: Bool {
    property.type == .object ? kind == .map : property.isNullable
  }

  /// The column that distinguishes the elements of one collection; nil for a set.
  package var slot: String? {
    switch kind {
    case .list: Self.position
    case .map: Self.key
    case .set: nil
    }
  }

  /// The column with the type of an `AnyRealmValue`.
  package var typeColumnName: String? { property.type == .any ? Self.valueType : nil }

  package var columns: [ColumnDefinition] {
    var columns = [
      ColumnDefinition(
        name: Self.owner, type: .integer, isRequired: true, references: className, cascades: true)
    ]
    if let slot {
      columns.append(
        ColumnDefinition(name: slot, type: kind == .map ? .text : .integer, isRequired: true))
    }
    columns.append(
      ColumnDefinition(
        name: Self.value,
        type: ColumnType(property.type),
        isRequired: !isNullable,
        references: property.type == .object ? property.objectClassName : nil,
        cascades: kind != .map))
    if let typeColumnName {
      columns.append(ColumnDefinition(name: typeColumnName, type: .text, isRequired: false))
    }
    return columns
  }

  /// The columns of the primary key; nil for a set with optional elements, because a primary key
  /// can't contain NULL.
  package var primaryKey: [String]? {
    if let slot { return [Self.owner, slot] }
    return isNullable ? nil : [Self.owner, Self.value]
  }

  /// Returns the collection under another name, with the same elements.
  ///
  /// - Parameter tableName: The name of its table; nil for the default name.
  package func renamed(to columnName: String, tableName: String? = nil) -> CollectionTable {
    var property = property
    property.name = columnName
    property.columnName = columnName
    property.tableName = tableName
    return CollectionTable(className: className, property: property, kind: kind)
  }

  package func named(_ tableName: String) -> CollectionTable {
    renamed(
      to: property.columnName, tableName: SQLName.same(tableName, usualName) ? nil : tableName)
  }

  private init(className: String, property: Property, kind: CollectionKind) {
    self.className = className
    self.property = property
    self.kind = kind
  }
}

extension ObjectSchema {
  /// The tables of the collections of the class, in the order of the properties.
  package var collectionTables: [CollectionTable] {
    properties.compactMap { CollectionTable(className: className, property: $0) }
  }

  /// Returns the table of the collection with this column name, byte for byte.
  package func collectionTable(_ column: String) -> CollectionTable? {
    property(collection: column, isSame: SQLName.same).flatMap {
      CollectionTable(className: className, property: $0)
    }
  }

  /// Returns the collection with this column name, by the given comparison.
  func property(collection column: String, isSame: (String, String) -> Bool) -> Property? {
    properties.first { $0.collection != nil && isSame($0.columnName, column) }
  }
}

/// The full-text index of a column: an FTS5 table with the words, but without the texts.
///
/// ```sql
/// CREATE VIRTUAL TABLE "Person.bio text" USING fts5("bio", content='Person', content_rowid='_id',
///   tokenize='unicode61 remove_diacritics 2')
/// ```
/// The dot distinguishes the name from the names of classes and collections.
package struct TextTable: Sendable, Hashable {
  /// The table of the class.
  package let className: String
  /// The column with the text.
  package let column: String
  /// The column of the class's table that identifies a row.
  package let identity: String

  package init(className: String, column: String, identity: String) {
    self.className = className
    self.column = column
    self.identity = identity
  }

  package var name: String { Self.name(className: className, column: column) }

  package static func name(className: String, column: String) -> String {
    "\(className).\(column) text"
  }

  /// The endings of the table names, after the column's name: FTS5 creates four tables of its own.
  package static let suffixes = [
    " text", " text_data", " text_idx", " text_docsize", " text_config",
  ]
}

extension ObjectSchema {
  /// The full-text indexes of the class, in the order of the properties.
  package var textTables: [TextTable] {
    let schema = stored
    return schema.properties.filter { $0.wantsTextIndex && $0.isStoredInColumn }.map {
      TextTable(className: className, column: $0.columnName, identity: schema.identityColumn)
    }
  }
}

/// The names of the tables of collections.
///
/// The table of `Post.comments` is called `Post_comments`, unless a class has that name: App
/// Services, for example, used such names for the classes of embedded properties. Then it is called
/// `Post_comments_elements`, which is recorded in the schema of the file. The table of a class
/// always has the name of the class.
extension Schema {
  /// Returns the schema with a unique table for each collection, considering the classes and
  /// collections of both the schema and the file.
  ///
  /// A collection keeps its table in the file, unless a class needs the name. So other programs
  /// find the table under the same name, even after a conflicting class was removed.
  package func namingCollections(besides file: Schema) -> Schema {
    var taken = TakenTables(classesOf: [self, file])
    let file = file.stored
    var result = self
    var unnamed: [(className: String, column: String)] = []
    for object in objectSchema {
      for property in object.properties where property.collection != nil {
        let existing = file[object.className]?.collectionTable(property.columnName)
        if let name = existing?.name, taken.take(name) {
          result.name(table: name, of: property.columnName, in: object.className)
        } else {
          unnamed.append((object.className, property.columnName))
        }
      }
    }
    for table in file.objectSchema.flatMap(\.collectionTables) {
      // A collection whose name differs only in case is renamed.
      let successor = self[table.className]?.property(
        collection: table.property.columnName, isSame: SQLName.collide)
      if successor == nil { taken.take(table.name) }
    }
    for (className, column) in unnamed {
      let name = taken.takeFree(CollectionTable.usualName(className: className, column: column))
      result.name(table: name, of: column, in: className)
    }
    return result
  }

  /// Returns the schema with the collections' tables in the file, for a read-only program.
  package func withCollectionNames(of file: Schema) -> Schema {
    var result = self
    let file = file.stored
    for object in objectSchema {
      for table in file[object.className]?.collectionTables ?? [] {
        result.name(table: table.name, of: table.property.columnName, in: object.className)
      }
    }
    return result
  }

  /// Returns the collections of a file whose table names are needed by classes, with their new
  /// tables.
  ///
  /// - Parameter target: A schema whose collections have been named for this file.
  package func collectionsInTheWay(
    of target: Schema
  ) -> [(from: CollectionTable, to: CollectionTable)] {
    let classes = Set(target.objectSchema.map { SQLName.folded($0.className) })
    let target = target.stored
    var taken = TakenTables(classesOf: [self, target])
    for table in (objectSchema + target.objectSchema).flatMap(\.collectionTables) {
      taken.take(table.name)
    }
    return stored.objectSchema.flatMap(\.collectionTables).filter {
      classes.contains(SQLName.folded($0.name))
    }.map { table in
      let column = table.property.columnName
      let wanted = target[table.className]?.collectionTable(column)?.name
      return (table, table.named(wanted ?? taken.takeFree(table.usualName)))
    }
  }

  /// Returns the collections that don't get the default table when their class is renamed, because
  /// the file has another table of that name.
  ///
  /// - Parameter target: The class of the program, with its new name.
  package func collectionsWithoutUsualName(
    of className: String, renamedTo newName: String, as target: ObjectSchema?
  ) -> [(from: CollectionTable, to: CollectionTable)] {
    guard let object = stored[className] else { return [] }
    var taken = TakenTables(classesOf: [self])
    for table in objectSchema.flatMap(\.collectionTables) { taken.take(table.name) }
    return object.collectionTables.filter { $0.property.tableName == nil }.compactMap { table in
      let column = table.property.columnName
      let usual = CollectionTable.usualName(className: newName, column: column)
      let wanted = target?.stored.collectionTable(column)?.name ?? usual
      let name = taken.take(wanted) ? wanted : taken.takeFree(usual)
      return SQLName.same(name, usual) ? nil : (table, table.named(name))
    }
  }

  package mutating func name(table: String, of column: String, in className: String) {
    guard var object = self[className],
      let index = object.properties.firstIndex(where: {
        $0.collection != nil && SQLName.same($0.columnName, column)
      })
    else { return }
    let usual = CollectionTable.usualName(className: className, column: column)
    let name = SQLName.same(usual, table) ? nil : table
    guard object.properties[index].tableName != name else { return }
    object.properties[index].tableName = name
    update(object)
  }
}

/// The names of tables that are in use.
private struct TakenTables {
  /// The folded names, which collide: see ``SQLName/collide(_:_:)``.
  private var names: Set<String> = []

  init(classesOf schemas: [Schema]) {
    for object in schemas.flatMap(\.objectSchema) { names.insert(SQLName.folded(object.className)) }
  }

  /// Reserves a name. Returns false if it is taken already.
  @discardableResult
  mutating func take(_ name: String) -> Bool { names.insert(SQLName.folded(name)).inserted }

  /// Reserves a name, or the first free variant of it.
  mutating func takeFree(_ usual: String) -> String {
    var name = usual
    var number = 1
    while !take(name) {
      name = number == 1 ? "\(usual)_elements" : "\(usual)_elements\(number)"
      number += 1
    }
    return name
  }
}
