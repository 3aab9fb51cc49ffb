/// Parts of statements that insert rows, many with one.
package enum InsertSQL {
  /// SQLite allows 32,766, and compiling a statement of very many takes its time.
  private static let mostParameters = 1_000

  /// How many rows of so many columns one statement inserts.
  package static func rowsAtOnce(columns: Int, atMost most: Int) -> Int {
    max(1, min(most, mostParameters / columns))
  }

  /// The parameters of some rows: `(?, ?), (?, ?)`.
  package static func parameters(columns: Int, rows: Int) -> String {
    let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
    return String(repeating: row + ", ", count: rows - 1) + row
  }

  /// The query for the greatest identity that a row of a table ever had: 0 where there was none.
  package static func lastIdentity(of table: String, identity: String) -> String {
    """
    SELECT max(
      ifnull((SELECT seq FROM sqlite_sequence WHERE name = \(StoredValue.text(table).sqlLiteral)), 0),
      ifnull((SELECT max(\(SQLName.quote(identity))) FROM \(SQLName.quote(table))), 0))
    """
  }
}
