import Foundation
import GRDB

/// The check that the contestants of a case do the same work.
struct Verifier {
  private let workspace: Workspace
  private static let rows = 1_000

  init(_ workspace: Workspace) {
    self.workspace = workspace
  }

  func check(_ item: Case) throws {
    let expected = try result(of: item.contestants[0], item)
    for contestant in item.contestants.dropFirst() where contestant.role != .fewRows {
      let found = try result(of: contestant, item)
      guard found != expected else { continue }
      let ours = Set(expected)
      let others = Set(found)
      throw Unexpected(
        """
        '\(item.name)': \(contestant.role.title) doesn't do the same work. Among what differs:
        Strata: \(expected.first { !others.contains($0) } ?? "nothing more")
        \(contestant.role.title): \(found.first { !ours.contains($0) } ?? "nothing more")
        """)
    }
  }

  private func result(of contestant: Contestant, _ item: Case) throws -> [String] {
    let trial = try workspace.run(contestant, of: item, rows: Self.rows)
    return ["answer \(trial.answer)"] + (try DatabaseContents.lines(of: trial.file))
  }
}

/// The contents of a file as comparable lines. The order of columns is ignored.
enum DatabaseContents {
  static func lines(of file: URL) throws -> [String] {
    try PlainDatabase.read(file) { db in
      let tables = try Row.fetchAll(
        db,
        sql: """
          SELECT name, strict FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name NOT IN ('strata_schema_version', 'strata_origin', 'grdb_migrations')
            AND name NOT LIKE 'strata_history%' ORDER BY name
          """)
      let sequences = try String.fetchAll(
        db,
        sql: """
          SELECT 'sequence ' || name || ' ' || seq FROM sqlite_sequence
          WHERE name NOT LIKE 'strata_%' ORDER BY name
          """)
      return try sequences
        + tables.flatMap { table in
          let name: String = table["name"]
          let strict: Bool = table["strict"]
          return ["table \(name)\(strict ? ", strict" : "")"] + (try lines(db, ofTable: name))
        }
    }
  }

  private static func lines(_ db: Database, ofTable table: String) throws -> [String] {
    let columns = try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_table_info(?) ORDER BY name", arguments: [table])
    let definitions = columns.map { column -> String in
      let name: String = column["name"]
      let type: String = column["type"]
      let isRequired: Bool = column["notnull"]
      return "column \(table).\(name) \(type)\(isRequired ? " NOT NULL" : "")"
    }
    let indexes = try String.fetchAll(
      db,
      sql: """
        SELECT 'index ' || name || CASE "unique" WHEN 1 THEN ', unique' ELSE '' END || ' on '
          || (SELECT group_concat(i.name) FROM pragma_index_info(l.name) AS i)
        FROM pragma_index_list(?) AS l ORDER BY name
        """, arguments: [table])
    return definitions + indexes + (try rows(db, table, columns.map { $0["name"] }))
  }

  private static func rows(_ db: Database, _ table: String, _ columns: [String]) throws -> [String]
  {
    let list = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
    return try String.fetchAll(
      db, sql: "SELECT '\(table): ' || \(list) AS line FROM \"\(table)\" ORDER BY line")
  }
}
