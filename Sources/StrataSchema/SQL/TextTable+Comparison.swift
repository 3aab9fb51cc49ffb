extension TextTable {
  private static let texts = "temp.\"strata_texts\""
  private static let words = "temp.\"strata_words\""
  private static let known = "temp.\"strata_known_words\""

  /// What makes temporary tables with the words of all texts, and with those that the index has.
  ///
  /// FTS5's own check is an `INSERT`, which a connection that only reads the file can't execute.
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

  /// What removes the temporary tables.
  package static let finishComparison = [words, texts, known].map { "DROP TABLE IF EXISTS \($0)" }

  /// The identities of rows that the index doesn't know, and of those that it knows and that are
  /// gone.
  package var rowDifferences: String {
    let rows = "SELECT \(SQLName.quote(identity)) FROM \(SQLName.quote(className))"
    let known = "SELECT id FROM \(SQLName.quote(name + "_docsize"))"
    return Self.differences("*", rows, known) + " ORDER BY 1"
  }

  /// The identities of those, and of rows for which the index has other words than their texts, or
  /// in other places; by the temporary tables.
  package var differences: String {
    let columns = "doc, term, \"offset\""
    let words = Self.differences(
      "doc", "SELECT \(columns) FROM \(Self.words)", "SELECT \(columns) FROM \(Self.known)")
    return "SELECT * FROM (\(rowDifferences)) UNION \(words) ORDER BY 1"
  }

  /// What only one of two statements gives.
  private static func differences(_ columns: String, _ one: String, _ other: String) -> String {
    "SELECT \(columns) FROM (\(one) EXCEPT \(other)) "
      + "UNION SELECT \(columns) FROM (\(other) EXCEPT \(one))"
  }
}
