extension TextTable {
  private static let texts = "temp.\"strata_texts\""
  private static let words = "temp.\"strata_words\""
  private static let known = "temp.\"strata_known_words\""

  /// The statements that create temporary tables with the words of all texts, and with the words in
  /// the index.
  ///
  /// FTS5's own check is an `INSERT`, which a read-only connection can't execute.
  package var prepareComparison: [String] {
    let name = StoredValue.text(name).sqlLiteral
    let row = SQLName.quote(identity)
    return [
      "CREATE VIRTUAL TABLE \(Self.known) USING fts5vocab(main, \(name), 'instance')",
      "CREATE VIRTUAL TABLE \(Self.texts) USING fts5(\"text\", content=''\(Self.options)",
      "INSERT INTO \(Self.texts)(rowid, \"text\") "
        + "SELECT \(row), \(SQLName.quote(column)) FROM main.\(SQLName.quote(className))",
      "CREATE VIRTUAL TABLE \(Self.words) USING fts5vocab(temp, 'strata_texts', 'instance')",
    ]
  }

  /// The statements that drop the temporary tables.
  package static let finishComparison = [words, texts, known].map { "DROP TABLE IF EXISTS \($0)" }

  /// The query for identities that are only in the table, or only in the index.
  package var rowDifferences: String {
    let rows = "SELECT \(SQLName.quote(identity)) FROM \(SQLName.quote(className))"
    let known = "SELECT id FROM \(SQLName.quote(name + "_docsize"))"
    return Self.differences("*", rows, known) + " ORDER BY 1"
  }

  /// The query for these identities, and for rows whose words or word positions differ between text
  /// and index. It uses the temporary tables.
  package var differences: String {
    let columns = "doc, term, \"offset\""
    let words = Self.differences(
      "doc", "SELECT \(columns) FROM \(Self.words)", "SELECT \(columns) FROM \(Self.known)")
    return "SELECT * FROM (\(rowDifferences)) UNION \(words) ORDER BY 1"
  }

  /// Returns the rows that only one of two statements returns.
  private static func differences(_ columns: String, _ one: String, _ other: String) -> String {
    "SELECT \(columns) FROM (\(one) EXCEPT \(other)) "
      + "UNION SELECT \(columns) FROM (\(other) EXCEPT \(one))"
  }
}
