/// The triggers that record the changes of other programs by SQL, row by row.
///
/// The library's own connection, which records its changes itself, overrides `sqlite_source_id()`.
/// So the file needs no mark to distinguish its statements from others, and no statement has to run
/// first.
package enum HistoryTriggers {
  /// The function of SQLite that distinguishes the library's connection from other programs'
  /// connections.
  package static let guardFunction = "sqlite_source_id"
  /// The result of the function on the library's connection.
  package static let guardValue = "strata"
  private static let prefix = TriggerSQL.prefix + "history_"

  /// Returns all triggers of a schema: for each class, its own triggers and then the triggers of
  /// its collections.
  package static func all(of schema: Schema, _ settings: HistorySettings) -> [Trigger] {
    guard settings.notesOtherPrograms else { return [] }
    return schema.stored.objectSchema.flatMap { object in
      [
        inserting(object), updating(object),
        deleting(object, keeping: settings.keptColumns(of: object)),
      ] + object.collectionTables.flatMap { collection($0, of: object) }
    }
  }

  // MARK: Objects

  private static func inserting(_ schema: ObjectSchema) -> Trigger {
    trigger(
      "insert", on: schema.className, when: nil,
      [record("\(start(schema.className, .inserted)) || NEW.\(identity(schema))")])
  }

  private static func updating(_ schema: ObjectSchema) -> Trigger {
    let columns = schema.properties.filter(\.isStoredInColumn)
    let moved = "OLD.\(identity(schema)) <> NEW.\(identity(schema))"
    let differs = columns.map(differs)
    let names = zip(columns, differs).map { property, differs in
      "CASE WHEN \(differs) THEN \(literal("," + quoted(property.columnName))) ELSE '' END"
    }
    let change = balanced(
      ["\(start(schema.className, .updated)) || NEW.\(identity(schema))"] + names, "||")
    return trigger(
      "update", on: schema.className, when: balanced([moved] + differs, "OR"),
      [
        record(
          "\(start(schema.className, .deleted)) || OLD.\(identity(schema))", where: moved),
        record("\(start(schema.className, .inserted)) || NEW.\(identity(schema))", where: moved),
        record(change, where: "NOT \(moved)"),
      ])
  }

  private static func deleting(_ schema: ObjectSchema, keeping columns: [String]) -> Trigger {
    let values = columns.map { column in
      "\(literal("," + quoted(column) + ",")) || \(value("OLD.\(SQLName.quote(column))"))"
    }
    let change = balanced(
      ["\(start(schema.className, .deleted)) || OLD.\(identity(schema))"] + values, "||")
    return trigger("delete", on: schema.className, when: nil, [record(change)])
  }

  /// Returns SQL for a value as a literal. `quote()` ends a text at a NUL, so a text that contains
  /// NUL is recorded by its bytes, after a `T`.
  private static func value(_ column: String) -> String {
    "CASE WHEN typeof(\(column)) = 'text' AND instr(\(column), char(0)) > 0 "
      + "THEN 'T' || quote(CAST(\(column) AS BLOB)) ELSE quote(\(column)) END"
  }

  private static func identity(_ schema: ObjectSchema) -> String {
    SQLName.quote(schema.identityColumn)
  }

  private static func differs(_ property: Property) -> String {
    let terms = property.columns.map { column in
      "OLD.\(SQLName.quote(column.name)) IS NOT NEW.\(SQLName.quote(column.name))"
    }
    return terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))"
  }

  // MARK: Collections

  /// Returns the triggers of a collection. A change of an element is recorded as a change of the
  /// object that has the collection.
  private static func collection(_ table: CollectionTable, of schema: ObjectSchema) -> [Trigger] {
    func change(_ row: String) -> String {
      "\(start(schema.className, .elements)) || \(row).\(SQLName.quote(CollectionTable.owner))"
        + " || \(literal("," + quoted(table.property.columnName)))"
    }
    let owner = SQLName.quote(CollectionTable.owner)
    return [
      trigger("insert", on: table.name, when: nil, [record(change("NEW"))]),
      trigger(
        "update", on: table.name, when: nil,
        [record(change("OLD"), where: "OLD.\(owner) <> NEW.\(owner)"), record(change("NEW"))]),
      trigger("delete", on: table.name, when: nil, [record(change("OLD"))]),
    ]
  }

  // MARK: SQL

  private static func trigger(
    _ event: String, on table: String, when: String?, _ statements: [String]
  ) -> Trigger {
    let condition = "\(guardFunction)() <> '\(guardValue)'" + (when.map { " AND (\($0))" } ?? "")
    return Trigger(
      "\(prefix)\(event)_\(table)", event.uppercased(), on: table, when: condition, statements)
  }

  /// Returns the statement that records one change. It uses no JSON function, because the SQLite of
  /// another program may not have them.
  private static func record(_ change: String, where condition: String? = nil) -> String {
    """
    INSERT INTO strata_history (mark, at, kind, schema_version, changes) \
    SELECT random() & 9223372036854775807, strftime('%Y-%m-%d %H:%M:%f', 'now'), 'other', \
    (SELECT max(version) FROM strata_schema_version), \(change)\
    \(condition.map { " WHERE \($0)" } ?? "")
    """
  }

  private static func start(_ className: String, _ kind: HistoryNote.Kind) -> String {
    literal("\(quoted(className)),\(quoted(kind.rawValue)),")
  }

  /// Returns a text in the format of `quote()`.
  private static func quoted(_ text: String) -> String { StoredValue.text(text).sqlLiteral }

  /// Returns SQL for a text.
  private static func literal(_ text: String) -> String { StoredValue.text(text).sqlLiteral }

  /// Joins terms with an operator as a balanced tree, because SQLite refuses expressions that are
  /// deeper than 1,000.
  static func balanced(_ terms: [String], _ operator: String) -> String {
    guard terms.count > 100 else { return terms.joined(separator: " \(`operator`) ") }
    let middle = terms.count / 2
    let halves = [terms[..<middle], terms[middle...]].map { balanced(Array($0), `operator`) }
    return "(\(halves[0])) \(`operator`) (\(halves[1]))"
  }
}
