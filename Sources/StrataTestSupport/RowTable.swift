public import Foundation
import GRDB
public import Strata
import StrataSchema
import StrataStorage

/// Expects the objects of a class to be the rows of a table.
///
/// ```swift
/// expectRows(of: "Person", in: realm, """
///   _id | fullName       | age
///   1   | 'Ada Lovelace' | 36
///   2   | 'Alan Turing'  | nil
///   """)
/// ```
/// Rows are in the order of their identities, columns in the order of declaration. Links are shown
/// as the identity of the object, collections in brackets. Spaces beside the bars are ignored. The
/// realm must be in a file, and not in a transaction.
public func expectRows(
  of className: String, in realm: Realm, _ expected: String, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let url = realm.configuration.fileURL else {
    return site.report("The realm is in memory: rows are compared in files.")
  }
  expectRows(of: className, at: url, expected, site)
}

/// Expects the objects of a class in a file to be the rows of a table.
///
/// The file may have any version; it is not migrated.
public func expectRows(
  of className: String, at url: URL, _ expected: String, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  expectRows(
    of: className, at: url, expected,
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
}

private func expectRows(
  of className: String, at url: URL, _ expected: String, _ site: CallSite
) {
  do {
    let actual = try RowTable.text(of: className, at: url)
    let lines = RowTable.aligned(expected)
    guard let difference = lineDifference(lines, RowTable.aligned(actual)) else { return }
    site.report(
      "The objects of '\(className)' are not those that were expected:\n\n\(difference)\n\n"
        + "(− expected, + found)\n\nAll of them:\n\n\(actual)")
  } catch {
    site.report(error, "The objects of '\(className)' can't be read from '\(url.path)'.")
  }
}

enum RowTable {
  static func text(of className: String, at url: URL) throws -> String {
    guard let schema = try Realm.migrationHistory(at: url).last?.schema[className] else {
      throw TestSupportError("The file '\(url.path)' has no class '\(className)'.")
    }
    var configuration = Configuration()
    configuration.readonly = true
    let rows = try DatabaseQueue.plain(url, configuration).inDatabase { db in
      try Self.rows(of: schema, db)
    }
    return aligned(rows).joined(separator: "\n")
  }

  private static func rows(of schema: ObjectSchema, _ db: Database) throws -> [[String]] {
    let columns = schema.properties.filter(\.isStoredInColumn).map(\.columnName)
    let names = [schema.identityColumn] + columns
    let tables = schema.collectionTables
    let values = try Row.fetchAll(
      db,
      sql: """
        SELECT \(names.map { "quote(\(SQLName.quote($0)))" }.joined(separator: ", "))
        FROM \(SQLName.quote(schema.className)) ORDER BY \(SQLName.quote(schema.identityColumn))
        """)
    let rows = try values.map { row -> [String] in
      let cells = (0..<names.count).map { text(row[$0]) }
      return try cells + tables.map { try elements(of: $0, owner: cells[0], db) }
    }
    return [names + tables.map(\.property.columnName)] + rows
  }

  private static func elements(
    of table: CollectionTable, owner: String, _ db: Database
  ) throws -> String {
    let slot = table.slot.map(SQLName.quote)
    let key = table.kind == .map ? "quote(\(slot ?? "NULL")) || ': ' || " : ""
    let elements = try String.fetchAll(
      db,
      sql: """
        SELECT \(key)quote("\(CollectionTable.value)") FROM \(SQLName.quote(table.name))
        WHERE "\(CollectionTable.owner)" = \(owner) ORDER BY \(slot ?? "1")
        """)
    return "[\(elements.map(text).joined(separator: ", "))]"
  }

  private static func text(_ quoted: String) -> String { quoted == "NULL" ? "nil" : quoted }

  /// Returns the lines of a table with aligned columns, independently of the original spaces.
  static func aligned(_ table: String) -> [String] {
    aligned(
      table.split(separator: "\n").map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
          cell.trimmingCharacters(in: .whitespaces)
        }
      })
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      .joined(separator: " | ")
    }
  }
}

extension DatabaseQueue {
  /// Opens a file without the library.
  ///
  /// The last connection of a realm locks the file while it is closed on another thread. This
  /// connection waits for it.
  static func plain(_ file: URL, _ configuration: Configuration = Connections.configuration(nil))
    throws
    -> DatabaseQueue
  {
    var configuration = configuration
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}
