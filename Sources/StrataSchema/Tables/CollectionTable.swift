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
