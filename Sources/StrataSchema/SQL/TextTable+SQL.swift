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

  package var drop: String { "DROP TABLE \(quoted)" }

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
