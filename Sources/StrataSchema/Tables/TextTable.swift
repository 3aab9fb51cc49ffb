/// The full-text index of a column: an FTS5 table that has the words, and not the texts.
///
/// ```sql
/// CREATE VIRTUAL TABLE "Person.bio text" USING fts5("bio", content='Person', content_rowid='_id',
///   tokenize='unicode61 remove_diacritics 2')
/// ```
/// The dot keeps the name apart from those of classes and collections.
package struct TextTable: Sendable, Hashable {
  /// The table of the class.
  package let className: String
  /// The column with the text.
  package let column: String
  /// The column of the class's table that identifies a row.
  package let identity: String

  /// Describes the index of a column.
  package init(className: String, column: String, identity: String) {
    self.className = className
    self.column = column
    self.identity = identity
  }

  package var name: String { Self.name(className: className, column: column) }

  package static func name(className: String, column: String) -> String {
    "\(className).\(column) text"
  }

  /// What follows the name of the column in the names of the tables: FTS5 makes four of its own.
  package static let suffixes = [
    " text", " text_data", " text_idx", " text_docsize", " text_config",
  ]
}

extension ObjectSchema {
  /// The full-text indexes of the class, in the order of the properties.
  package var textTables: [TextTable] {
    let schema = stored
    return schema.properties.filter { $0.wantsTextIndex && $0.isStoredInColumn }.map {
      TextTable(className: className, column: $0.columnName, identity: schema.identityColumn)
    }
  }
}
