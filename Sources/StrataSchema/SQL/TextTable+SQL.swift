extension TextTable {
  static let options = ", tokenize='unicode61 remove_diacritics 2')"

  var quoted: String { SQLName.quote(name) }

  /// The statement that creates the empty table, as stored in `sqlite_schema`.
  package var create: String {
    let content = StoredValue.text(className).sqlLiteral
    let rows = StoredValue.text(identity).sqlLiteral
    return
      "CREATE VIRTUAL TABLE \(quoted) USING fts5(\(SQLName.quote(column)), content=\(content), "
      + "content_rowid=\(rows)\(Self.options)"
  }

  /// The statement that reads all texts again.
  package var rebuild: String { "INSERT INTO \(quoted)(\(quoted)) VALUES ('rebuild')" }

  /// Whether a table is a full-text index that this library created.
  package static func isOwn(table name: String, sql: String) -> Bool {
    name.hasSuffix(" text") && name.utf8.contains(UInt8(ascii: "."))
      && sql.hasPrefix("CREATE VIRTUAL TABLE \(SQLName.quote(name)) USING fts5(")
      && sql.hasSuffix(options)
  }

  /// The triggers that maintain the index, even when other programs write.
  package var triggers: [Trigger] {
    let text = SQLName.quote(column)
    let row = SQLName.quote(identity)
    let add = "INSERT INTO \(quoted)(rowid, \(text)) VALUES (NEW.\(row), NEW.\(text))"
    // FTS5 finds the words to remove by the previous text.
    let remove =
      "INSERT INTO \(quoted)(\(quoted), rowid, \(text)) VALUES ('delete', OLD.\(row), OLD.\(text))"
    func trigger(
      _ kind: String, _ event: String, when: String? = nil, _ statements: [String]
    ) -> Trigger {
      Trigger(
        "\(TriggerSQL.prefix)text_\(kind)_\(className).\(column)", event, on: className, when: when,
        statements)
    }
    return [
      trigger("insert", "INSERT", [add]), trigger("delete", "DELETE", [remove]),
      trigger(
        "update", "UPDATE OF \(text)", when: "OLD.\(text) IS NOT NEW.\(text)", [remove, add]),
    ]
  }
}

extension Schema {
  /// The full-text indexes of all classes.
  package var textTables: [TextTable] { objectSchema.flatMap(\.textTables) }
}

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
