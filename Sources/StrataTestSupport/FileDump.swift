import Foundation
import GRDB
import Strata
import StrataSchema

/// The contents of a database as text, for comparing two databases.
struct FileDump {
  /// Tables that record the history of a file, not its contents.
  private static let bookkeeping: Set<String> = [
    "strata_schema_version", "grdb_migrations", "sqlite_sequence", "strata_history",
  ]

  private struct Item {
    let type: String
    let name: String
    let table: String
    let sql: String?
  }

  private let db: Database
  private let items: [Item]

  init(_ db: Database) throws {
    self.db = db
    items = try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    ).map { Item(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
  }

  private var tables: [String] {
    items.filter { $0.type == "table" && !Self.bookkeeping.contains($0.name) }.map(\.name)
  }

  /// The readable SQL statements that create all contents except bookkeeping.
  var sql: String {
    get throws {
      var lines: [String] = []
      for item in items where !Self.bookkeeping.contains(item.table) {
        if let sql = item.sql { lines.append("\(sql);") }
      }
      for table in tables {
        let columns = try columns(table)
        for row in try rows(table, columns) {
          lines.append(
            "INSERT INTO \(SQLName.quote(table)) VALUES (\(row.joined(separator: ", ")));")
        }
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  /// Returns columns, references, indexes and triggers, independently of the order of columns.
  ///
  /// Retired properties are left out.
  func structure(of names: Set<String>) throws -> [String] {
    let retired = try retiredColumns()
    var lines: [String] = []
    for table in tables where names.contains(table) {
      for row in try Row.fetchAll(
        db,
        sql: "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) ORDER BY name",
        arguments: [table]) where !retired.contains("\(table).\(row[0] as String)")
      {
        let required = (row[2] as Int) == 1 ? " NOT NULL" : ""
        let key = (row[3] as Int) > 0 ? " PRIMARY KEY \(row[3] as Int)" : ""
        lines.append("\(table).\(row[0] as String) \(row[1] as String)\(required)\(key)")
      }
      for row in try Row.fetchAll(
        db,
        sql: """
          SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"
          """, arguments: [table]) where !retired.contains("\(table).\(row[0] as String)")
      {
        lines.append(
          "\(table).\(row[0] as String) refers to \(row[1] as String), on delete \(row[2] as String)"
        )
      }
    }
    for item in items
    where names.contains(item.table) && ["index", "trigger"].contains(item.type)
      && !retired.contains(item.name)
    {
      lines.append("\(item.type) \(item.name): \(item.sql ?? "of the table")")
    }
    return lines
  }

  /// Returns the columns of retired properties, as `Person.notes`.
  func retiredColumns() throws -> Set<String> {
    let sql = "SELECT schema FROM strata_schema_version ORDER BY version DESC LIMIT 1"
    guard let text = try String.fetchOne(db, sql: sql) else { return [] }
    let record = try JSONDecoder().decode(SchemaRecord.self, from: Data(text.utf8))
    return Set(
      record.retired.flatMap { retired in
        retired.property.columns.map { "\(retired.className).\($0.name)" }
      })
  }

  /// Returns the rows of tables, in the order of their keys.
  ///
  /// - Parameter ignoring: Columns such as `Person.id` whose values are left out.
  func contents(of names: Set<String>, ignoring: Set<String> = []) throws -> [String] {
    try tables.filter(names.contains).flatMap { table -> [String] in
      let columns = try columns(table).filter { !ignoring.contains("\(table).\($0)") }.sorted()
      return try rows(table, columns).map { row in
        "\(table): "
          + zip(columns, row).map { "\($0) = \($1)" }.joined(separator: ", ")
      }
    }
  }

  func count(_ table: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLName.quote(table))") ?? 0
  }

  private func columns(_ table: String) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
  }

  private func rows(_ table: String, _ columns: [String]) throws -> [[String]] {
    guard !columns.isEmpty else { return [] }
    let values = columns.map { "quote(\(SQLName.quote($0)))" }.joined(separator: ", ")
    let keys = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk",
      arguments: [table])
    let order = keys.isEmpty ? columns : keys
    return try Row.fetchAll(
      db,
      sql: """
        SELECT \(values) FROM \(SQLName.quote(table))
        ORDER BY \(order.map(SQLName.quote).joined(separator: ", "))
        """
    ).map { row in (0..<columns.count).map { row[$0] as String } }
  }
}

/// The numbers of objects that classes must have after a migration, according to its reports.
struct ObjectCounts {
  /// The objects in the file before. A class that no report mentions keeps them.
  private var before: [String: Int]
  private var reported: [String: Int] = [:]

  init(_ before: [String: Int], _ stages: [MigrationReport.Stage]) {
    self.before = before
    for stage in stages {
      // A class may get another class's name, or be created again after it was dropped.
      follow(stage)
      for rows in stage.classes {
        reported[rows.className] =
          (reported[rows.className] ?? rows.before) + rows.created - rows.deleted - rows.merged
      }
    }
  }

  /// The number of objects of a class; nil for a new class that no report mentions.
  subscript(className: String) -> Int? { reported[className] ?? before[className] }

  private mutating func follow(_ stage: MigrationReport.Stage) {
    for rename in stage.renamedClasses {
      before[rename.new] = before.removeValue(forKey: rename.old)
      reported[rename.new] = reported.removeValue(forKey: rename.old)
    }
    for name in stage.droppedClasses {
      before[name] = nil
      reported[name] = nil
    }
  }
}
