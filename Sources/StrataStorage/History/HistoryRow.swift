import GRDB
import StrataSchema

/// A row of the table, before its changes are read.
struct HistoryRow {
  var token: HistoryToken
  var at: String
  var kind: HistoryTable.Kind
  var author: String?
  var process: String?
  var schemaVersion: UInt64
  var changes: String
  var kept: String?
}

extension HistoryRow {
  private static let columns =
    "position, mark, at, kind, author, process, schema_version, changes, kept"

  /// The rows of a query; what the library hasn't written is left out.
  static func fetch(
    _ db: Database, _ condition: String, _ arguments: [StoredValue]
  ) throws -> [HistoryRow] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM strata_history \(condition)")
    try statement.bindRaw(arguments)
    var rows: [HistoryRow] = []
    while try statement.stepRaw() {
      let values = (0..<9).map { StoredValue(statement.sqliteStatement, column: $0) }
      guard case .integer(let position) = values[0], case .integer(let mark) = values[1],
        let kind = values[3].string.flatMap(HistoryTable.Kind.init(rawValue:))
      else { continue }
      rows.append(
        HistoryRow(
          token: HistoryToken(position: position, mark: mark), at: values[2].string ?? "",
          kind: kind, author: values[4].string, process: values[5].string,
          schemaVersion: UInt64(bitPattern: statement.int64(6)), changes: values[7].string ?? "",
          kept: values[8].string))
    }
    return rows
  }
}

extension StoredValue {
  fileprivate var string: String? {
    if case .text(let text) = self { text } else { nil }
  }
}
