/// The table that holds the elements of a collection.
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
  /// The column with the element; the identity of an object.
  package static let value = "value"
  /// The column beside an `AnyRealmValue` that says which type it has.
  package static let valueType = "value_type"

  /// The class that has the collection.
  package let className: String
  /// The collection as the file knows it.
  package let property: Property
  package let kind: CollectionKind

  /// The table of a property; nil unless it is a collection.
  package init?(className: String, property: Property) {
    guard let kind = property.collection, !property.isComputed else { return nil }
    self.className = className
    self.kind = kind
    var property = property.stored
    // Two tables that are made alike are equal.
    property.allowsNil = property.isNullable
    self.property = property
  }

  /// The name of the table of one collection: the usual one, unless the property has another.
  package static func name(className: String, property: Property) -> String {
    property.tableName ?? usualName(className: className, column: property.columnName)
  }

  /// The name of a table where no other table has it: `Person_dogs`.
  package static func usualName(className: String, column: String) -> String {
    "\(className)_\(column)"
  }

  package var name: String { Self.name(className: className, property: property) }

  package var usualName: String {
    Self.usualName(className: className, column: property.columnName)
  }

  /// Whether an element may be NULL.
  ///
  /// An object that is deleted leaves a list or a set; the entry of a map stays, as nil.
  package var isNullable: Bool {
    property.type == .object ? kind == .map : property.isNullable
  }

  /// The column that tells the elements of one collection apart; nil for a set.
  package var slot: String? {
    switch kind {
    case .list: Self.position
    case .map: Self.key
    case .set: nil
    }
  }

  /// The column with the type of an `AnyRealmValue`.
  package var typeColumnName: String? { property.type == .any ? Self.valueType : nil }

  /// All columns, in their order.
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

  /// The columns of the primary key; nil for a set with NULL among its elements, which a primary
  /// key would refuse.
  package var primaryKey: [String]? {
    if let slot { return [Self.owner, slot] }
    return isNullable ? nil : [Self.owner, Self.value]
  }

  /// The collection under another name, its elements as they are.
  ///
  /// - Parameter tableName: The name of its table, where that is not the usual one.
  package func renamed(to columnName: String, tableName: String? = nil) -> CollectionTable {
    var property = property
    property.name = columnName
    property.columnName = columnName
    property.tableName = tableName
    return CollectionTable(className: className, property: property, kind: kind)
  }

  /// The same collection with another name for its table.
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

  /// The table of the collection that has this column name, byte for byte.
  package func collectionTable(_ column: String) -> CollectionTable? {
    property(collection: column, isSame: SQLName.same).flatMap {
      CollectionTable(className: className, property: $0)
    }
  }

  /// The collection whose column name is taken for another one.
  func property(collection column: String, isSame: (String, String) -> Bool) -> Property? {
    properties.first { $0.collection != nil && isSame($0.columnName, column) }
  }
}

/// The full-text index of a column: an FTS5 table that has the words, and not the texts.
///
/// ```sql
/// CREATE VIRTUAL TABLE "Person.bio text" USING fts5("bio", content='Person', content_rowid='_id',
///   tokenize='unicode61 remove_diacritics 2')
/// ```
/// The dot keeps the name apart from those of classes and collections.
package struct TextTable: Sendable, Hashable {
  /// The table of the class.
  package let className: String
  /// The column with the text.
  package let column: String
  /// The column of the class's table that identifies a row.
  package let identity: String

  /// Describes the index of a column.
  package init(className: String, column: String, identity: String) {
    self.className = className
    self.column = column
    self.identity = identity
  }

  package var name: String { Self.name(className: className, column: column) }

  package static func name(className: String, column: String) -> String {
    "\(className).\(column) text"
  }

  /// What follows the name of the column in the names of the tables: FTS5 makes four of its own.
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
