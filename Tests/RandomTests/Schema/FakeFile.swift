import StrataSchema
import TestKit

/// A file as values: what SQLite would do with the operations of a plan, and what it would refuse.
///
/// Each table has one row, so that tests can see what becomes of values, and each collection a
/// value and perhaps a NULL.
struct FakeFile: Equatable {
  /// A operation that SQLite would refuse.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// A table, with nothing in its row until it is written.
  struct Table: Equatable {
    var identity: String
    /// Without the identity.
    var columns: [ColumnDefinition]
    /// The one row, by column name.
    var row: [String: StoredValue]
    /// Columns with a plain index.
    var indexes: Set<String> = []
    /// The columns of indexes of several.
    var compoundIndexes: Set<[String]> = []
    var primaryKey: String?
  }

  /// The value of a column after its default was evaluated for each row.
  static let filled = StoredValue.text("filled")

  /// The table of a collection.
  struct Collection: Equatable {
    var table: CollectionTable
    var values: [StoredValue] = []
  }

  private(set) var tables: [String: Table] = [:]
  /// The collections by the names of their tables.
  private(set) var collections: [String: Collection] = [:]
  /// The classes whose kind was changed, in order.
  private(set) var changedKinds: [String] = []

  /// Columns with a full-text index that an operation made.
  private var textIndexes: Set<String> = []

  /// A file with the tables of a schema and a value in each column.
  init(_ schema: Schema, value: (_ className: String, ColumnDefinition) -> StoredValue) throws {
    for schema in schema.stored.objectSchema {
      try create(schema)
      tables[schema.className]?.row = Dictionary(
        uniqueKeysWithValues: schema.properties.flatMap(\.columns).map {
          ($0.name, value(schema.className, $0))
        })
      for table in schema.collectionTables {
        collections[table.name]?.values = Self.values(of: table)
      }
    }
  }

  /// The values of a collection before the plan.
  static func values(of table: CollectionTable) -> [StoredValue] {
    [.text(table.name)] + (table.isNullable ? [.null] : [])
  }

  mutating func apply(_ operations: [TableOperation]) throws {
    for operation in operations {
      do {
        try apply(operation)
      } catch let refusal as Refusal {
        throw Refusal(description: "\(operation) \(refusal)")
      }
    }
  }

  private mutating func apply(_ operation: TableOperation) throws {
    switch operation {
    case .createTable(let schema): try create(schema)
    case .addColumn(let table, let property, let value):
      try change(table) { try $0.add(property, value) }
    case .rebuildTable(let rebuild): try change(rebuild.table) { try $0.rebuild(rebuild) }
    case .fillColumns(let table, let properties, let onlyNull):
      try change(table) { try $0.fill(properties, onlyNull: onlyNull) }
    case .dropColumn(let table, let column): try change(table) { try $0.drop(column) }
    case .renameColumn(let table, let from, let to):
      try change(table) { try $0.rename(from, to) }
    case .createIndex(let table, let columns):
      try change(table) {
        try columns.count == 1
          ? $0.createIndex(columns[0]) : $0.createCompoundIndex(columns)
      }
    case .dropIndex(let table, let columns):
      try change(table) {
        try columns.count == 1 ? $0.dropIndex(columns[0]) : $0.dropCompoundIndex(columns)
      }
    case .createPrimaryKey(let table, let property):
      try change(table) { try $0.createPrimaryKey(property.columnName) }
    case .dropPrimaryKey(let table, let column):
      try change(table) { try $0.dropPrimaryKey(column) }
    case .createCollection(let table): try create(table)
    case .dropCollection(let table): _ = try remove(table)
    case .createTextIndex(let table, let column):
      guard textIndexes.insert("\(table).\(column)").inserted else {
        throw refusal("The index is there.")
      }
    case .dropTextIndex(let table, let column):
      guard textIndexes.remove("\(table).\(column)") != nil else {
        throw refusal("The index is not there.")
      }
    case .createElementsIndex(let table): try changeIndex(of: table, isThere: false)
    case .dropElementsIndex(let table): try changeIndex(of: table, isThere: true)
    case .renameCollection(let from, let to):
      let collection = try remove(from)
      try create(to)
      collections[to.name]?.values = collection.values
    case .rebuildCollection(let from, let to):
      let collection = try remove(from)
      try create(to)
      let zero = to.isNullable ? StoredValue.null : .zero(for: to.property.type)
      collections[to.name]?.values = collection.values.map { $0 == .null ? zero : $0 }
    case .changeKind(let name, _, _):
      if tables[name] == nil { throw refusal("No such table.") }
      changedKinds.append(name)
    case .dropTable(let table, _):
      guard tables.removeValue(forKey: table) != nil else { throw refusal("No such table.") }
    case .renameTable, .setColumns, .retire:
      throw refusal("No difference of classes alone has such an operation.")
    }
  }

  private mutating func create(_ table: CollectionTable) throws {
    try checkIsFree(table.name)
    collections[table.name] = Collection(table: table)
  }

  private mutating func remove(_ table: CollectionTable) throws -> Collection {
    guard let existing = collections.removeValue(forKey: table.name) else {
      throw refusal("No such collection.")
    }
    guard existing.table == table else { throw refusal("Another collection has the table.") }
    return existing
  }

  private mutating func changeIndex(of table: CollectionTable, isThere: Bool) throws {
    guard let existing = collections[table.name] else { throw refusal("No such collection.") }
    guard existing.table.property.wantsIndex == isThere, table.property.wantsIndex else {
      throw refusal("The index is \(isThere ? "not " : "")there.")
    }
    var property = existing.table.property
    property.wantsIndex = !isThere
    collections[table.name]?.table = CollectionTable(
      className: table.className, property: property)!
  }

  private func checkIsFree(_ name: String) throws {
    let isTaken = (Array(tables.keys) + collections.keys).contains {
      SQLName.folded($0) == SQLName.folded(name)
    }
    if isTaken { throw refusal("The table exists.") }
  }

  private mutating func create(_ schema: ObjectSchema) throws {
    try checkIsFree(schema.className)
    var table = Table(
      identity: schema.identityColumn, columns: schema.properties.flatMap(\.columns), row: [:])
    try table.checkNames()
    for property in schema.properties where property.isStoredInColumn {
      if property.columnName == schema.primaryKey {
        table.primaryKey = property.columnName
      } else if property.wantsIndex || property.type == .object {
        table.indexes.insert(property.columnName)
      }
    }
    for columns in schema.compoundIndexes { try table.createCompoundIndex(columns) }
    tables[schema.className] = table
    for table in schema.collectionTables { try create(table) }
  }

  private mutating func change(_ name: String, _ body: (inout Table) throws -> Void) throws {
    guard var table = tables[name] else { throw refusal("No such table.") }
    try body(&table)
    try table.checkNames()
    tables[name] = table
  }
}

func refusal(_ text: String) -> FakeFile.Refusal {
  FakeFile.Refusal(description: text)
}
