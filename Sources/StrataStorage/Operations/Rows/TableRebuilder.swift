package import GRDB
package import StrataSchema

/// A rebuild of a table, in the order that SQLite's documentation gives for changes that `ALTER
/// TABLE` can't make: https://www.sqlite.org/lang_altertable.html#otheralter
///
/// Rows are copied all at once, or range by range while they are read for another purpose.
package struct TableRebuilder {
  private let db: Database
  private let rebuild: TableRebuild
  /// The previous and the future columns of the class, folded as SQLite compares them.
  private let ownColumns: Set<String>
  /// The retired properties of the class, whose columns are kept.
  private let retired: [Property]
  private var extraColumns: [ExtraColumn] = []

  private var table: String { rebuild.table }

  /// Creates the new table beside the old one.
  ///
  /// - Parameters:
  ///   - defaults: The values of the `DEFAULT` clauses; nil to keep the clauses of the columns that
  ///     stay.
  ///   - retired: The retired properties of the class, whose columns are kept.
  package init(
    db: Database, rebuild: TableRebuild, ownColumns: Set<String>, defaults: [String: String]?,
    retired: [Property]
  ) throws {
    self.db = db
    self.rebuild = rebuild
    self.ownColumns = ownColumns
    self.retired = retired.filter(\.isStoredInColumn)
    try TableDependents.checkCanBeRebuilt(table, db)
    let catalog = try Catalog.read(db)
    let present = catalog.columns(of: table).reduce(into: [String: String]()) { present, column in
      present[column.name] = column.defaultSQL.map(DefaultSQL.value)
    }
    extraColumns = try findExtraColumns(catalog, defaults: present)
    let create = RebuildTableSQL.create(
      rebuild, defaults: defaults ?? defaultsOfKeptColumns(present), extraColumns: extraColumns)
    try db.execute(sql: create)
  }

  package func copy() throws {
    try db.execute(sql: RebuildTableSQL.copy(rebuild, extraColumns: extraColumns))
  }

  /// Returns the statement that copies the rows between its two parameters.
  package func copy(
    value: (_ column: String, _ identity: String, _ expression: String) -> String
  ) -> String {
    RebuildTableSQL.copy(
      rebuild, extraColumns: extraColumns, betweenParameters: true, value: value)
  }

  /// Replaces the old table by the new one.
  package func finish() throws {
    var object = rebuild.target
    object.properties += retired
    try TableDependents(of: table, try Catalog.read(db), db).replaceTable(
      by: RebuildTableSQL.finish(rebuild), indexes: IndexSQL.createAll(of: object))
  }

  /// Returns the retired columns, and the columns that other programs added. They are copied
  /// unchanged.
  private func findExtraColumns(
    _ catalog: Catalog, defaults: [String: String]
  ) throws -> [ExtraColumn] {
    let folded = SQLName.folded(table)
    let columns = catalog.columns(of: table)
    let kept = retired.flatMap { $0.retiredColumns(defaults: defaults) }
      .filter { column in columns.contains { $0.name == column.name } }
    let extra = columns.filter { column in
      !ownColumns.contains(SQLName.folded(column.name))
        && !kept.contains { $0.name == column.name }
    }
    guard !extra.isEmpty else { return kept }
    let sql = catalog.items.first { $0.type == "table" && SQLName.folded($0.name) == folded }?.sql
    // Quoted names, and texts of defaults, are not clauses.
    let text = SQLName.folded(sql ?? "").replacing(/"[^"]*"|'[^']*'/, with: "")
    let clause = text.firstMatch(of: /\b(check|collate|unique|generated)\b/)?.1
    if let constraint = try clause.map(String.init) ?? reference(on: extra) {
      let names = extra.map { "'\($0.name)'" }.joined(separator: ", ")
      throw RealmError(
        .fail,
        "Table '\(table)' must be rebuilt, and other programs added columns to it (\(names)) with "
          + "a \(constraint.uppercased()) clause, which can't be carried over. Drop these columns "
          + "first and add them again after the migration.")
    }
    return kept
      + extra.map { column in
        var definition = "\(SQLName.quote(column.name)) \(column.type)"
        if column.notNull { definition += " NOT NULL" }
        if let value = defaults[column.name] { definition += " DEFAULT \(value)" }
        return ExtraColumn(name: column.name, definition: definition)
      }
  }

  /// Returns the defaults of the columns that keep their values, by their new names.
  private func defaultsOfKeptColumns(_ present: [String: String]) -> [String: String] {
    rebuild.columns.reduce(into: [:]) { defaults, column in
      guard case .column(let name) = column.source else { return }
      defaults[column.property.columnName] = present[name]
    }
  }

  /// Checks only these columns, because the links of the class are references as well.
  private func reference(on columns: [CatalogColumn]) throws -> String? {
    let names = Set(columns.map { SQLName.folded($0.name) })
    let references = try String.fetchAll(
      db, sql: "SELECT \"from\" FROM pragma_foreign_key_list(?)", arguments: [table])
    return references.contains { names.contains(SQLName.folded($0)) } ? "references" : nil
  }
}
