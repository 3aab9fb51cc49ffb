import StrataSchema

/// A file as values: what SQLite would do with the steps of a plan, and what it would refuse.
///
/// Each table has one row, so that tests can see what becomes of values.
struct FakeFile: Equatable {
  /// A step that SQLite would refuse.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// A table, with nothing in its row until somebody writes it.
  struct Table: Equatable {
    var identity: String
    /// Without the identity.
    var columns: [ColumnDefinition]
    /// The one row, by column name.
    var row: [String: StoredValue]
    /// Columns with a plain index.
    var indexes: Set<String> = []
    var primaryKey: String?
  }

  /// What a column has after its defaults were evaluated for each row.
  static let filled = StoredValue.text("filled")

  private(set) var tables: [String: Table] = [:]

  /// A file with the tables of a schema and a value in each column.
  init(_ schema: Schema, value: (_ className: String, ColumnDefinition) -> StoredValue) throws {
    for schema in schema.stored.objectSchema {
      try create(schema)
      tables[schema.className]?.row = Dictionary(
        uniqueKeysWithValues: schema.properties.flatMap(\.columns).map {
          ($0.name, value(schema.className, $0))
        })
    }
  }

  mutating func apply(_ steps: [MigrationStep]) throws {
    for step in steps {
      do {
        try apply(step)
      } catch let refusal as Refusal {
        throw Refusal(description: "\(step) \(refusal)")
      }
    }
  }

  private mutating func apply(_ step: MigrationStep) throws {
    switch step {
    case .createTable(let schema): try create(schema)
    case .addColumn(let table, let property, let value):
      try change(table) { try $0.add(property, value) }
    case .rebuildTable(let rebuild): try change(rebuild.table) { try $0.rebuild(rebuild) }
    case .fillColumns(let table, let properties, let onlyNull):
      try change(table) { try $0.fill(properties, onlyNull: onlyNull) }
    case .dropColumn(let table, let column): try change(table) { try $0.drop(column) }
    case .renameColumn(let table, let from, let to):
      try change(table) { try $0.rename(from, to) }
    case .createIndex(let table, let column): try change(table) { try $0.createIndex(column) }
    case .dropIndex(let table, let column): try change(table) { try $0.dropIndex(column) }
    case .createPrimaryKey(let table, let property):
      try change(table) { try $0.createPrimaryKey(property.columnName) }
    case .dropPrimaryKey(let table, let column):
      try change(table) { try $0.dropPrimaryKey(column) }
    case .dropTable(let table):
      guard tables.removeValue(forKey: table) != nil else { throw refusal("No such table.") }
    }
  }

  private mutating func create(_ schema: ObjectSchema) throws {
    let isTaken = tables.keys.contains { SQLName.folded($0) == SQLName.folded(schema.className) }
    if isTaken { throw refusal("The table exists.") }
    var table = Table(
      identity: schema.identityColumn, columns: schema.properties.flatMap(\.columns), row: [:])
    try table.checkNames()
    for property in schema.properties where property.isStoredInColumn {
      if property.columnName == schema.primaryKey {
        table.primaryKey = property.columnName
      } else if property.isIndexed || property.type == .object {
        table.indexes.insert(property.columnName)
      }
    }
    tables[schema.className] = table
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
