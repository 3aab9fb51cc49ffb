import Foundation
import GRDB

/// Everything that a file holds, and whether SQLite finds anything wrong with it.
struct FileDump: Equatable {
  var lines: [String] = []
  var problems: [String] = []

  /// Reads a copy: whoever opens a file after a crash changes it, and that must be the library.
  static func read(_ file: URL) throws -> FileDump {
    let copy = try Folder(Folder.files(in: file.deletingLastPathComponent()))
    let file = copy.url.appendingPathComponent(file.lastPathComponent)
    guard FileManager.default.fileExists(atPath: file.path) else { return FileDump() }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let dump = try queue.inDatabase { db in
      FileDump(lines: try lines(db), problems: try problems(db))
    }
    try queue.close()
    return dump
  }

  /// The configuration of a reader that does not wait for the disk.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    return configuration
  }

  static func problems(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      + Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { "\($0)" }
  }

  private static func lines(_ db: Database) throws -> [String] {
    let items = try Row.fetchAll(
      db, sql: "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
    var lines: [String] = []
    for item in items {
      let name: String = item[1]
      // A consumer that comes again passes what it has written itself.
      let hasRows = item[0] == "table" && name != "strata_history_consumer"
      let rows = hasRows ? try rows(of: name, db) : []
      lines.append("\(item[0] as String) \(name): \(item[2] as String? ?? "")")
      lines += rows.map { "\(name): \($0)" }
    }
    return lines
  }

  private static func rows(of table: String, _ db: Database) throws -> [String] {
    // Times, processes and marks are others each time. Tests copy files, and a history says so.
    let columns = try db.columns(in: table).map(\.name).filter {
      !["migrated_at", "seconds", "at", "updated_at", "process", "mark", "inode", "born"].contains(
        $0)
        && !($0 == "position" && table.hasPrefix("strata_"))
    }
    let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
    let condition =
      switch table {
      case "strata_history": "WHERE kind <> 'restored' ORDER BY position"
      case "strata_origin": "WHERE kind <> 'copied' ORDER BY number"
      default: "ORDER BY 1"
      }
    return try String.fetchAll(db, sql: "SELECT \(values) FROM \"\(table)\" \(condition)")
  }

  /// The first lines that only one of both has.
  func difference(from other: FileDump) -> String {
    let own = Set(lines)
    let others = Set(other.lines)
    return
      (lines.filter { !others.contains($0) }.prefix(5).map { "+ \($0)" }
      + other.lines.filter { !own.contains($0) }.prefix(5).map { "- \($0)" })
      .joined(separator: "\n")
  }
}
