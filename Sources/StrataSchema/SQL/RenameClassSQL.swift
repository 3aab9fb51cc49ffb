/// The statements that rename a class of a file, with its collections and indexes.
///
/// ```sql
/// ALTER TABLE "Person" RENAME TO "Human";
/// ALTER TABLE "Person_dogs" RENAME TO "Human_dogs";
/// UPDATE "Shop" SET "note_type" = '<Human>' WHERE "note_type" < 'a' AND "note_type" = '<Person>';
/// ```
/// SQLite updates the foreign keys of all tables, the tables of indexes, and the names in views and
/// triggers of other programs. No row is written, except for links in an `AnyRealmValue`.
package enum RenameClassSQL {
  /// A table, with its old and its new name.
  package struct Table: Sendable, Hashable {
    package let name: String
    package let newName: String

    package var sql: String {
      "ALTER TABLE \(SQLName.quote(name)) RENAME TO \(SQLName.quote(newName))"
    }
  }

  /// Returns the tables that are renamed with a class: its own table, and the tables of its
  /// collections except explicitly named ones.
  package static func tables(of schema: ObjectSchema, to newName: String) -> [Table] {
    let collections = schema.collectionTables.filter { $0.property.tableName == nil }
    return [Table(name: schema.className, newName: newName)]
      + collections.map {
        Table(
          name: $0.name,
          newName: CollectionTable.usualName(
            className: newName, column: $0.property.columnName))
      }
  }

  /// Returns an index of the library after its table was renamed; nil for an index of others.
  ///
  /// - Parameter sql: Its definition, which already has the new name of the table.
  package static func index(
    name: String, sql: String, of table: Table
  ) -> (name: String, sql: String)? {
    let prefix = SQLName.folded(table.name + ".").utf8
    guard SQLName.folded(name).utf8.starts(with: prefix) else { return nil }
    let newName =
      table.newName + "." + String(decoding: name.utf8.dropFirst(prefix.count), as: UTF8.self)
    for kind in ["INDEX", "UNIQUE INDEX"] {
      let start = "CREATE \(kind) \(SQLName.quote(name)) ON ".utf8
      if sql.utf8.starts(with: start) {
        let rest = String(decoding: sql.utf8.dropFirst(start.count), as: UTF8.self)
        return (newName, "CREATE \(kind) \(SQLName.quote(newName)) ON \(rest)")
      }
    }
    return nil
  }

  /// Returns the statements by which values of type `AnyRealmValue` follow their renamed objects.
  ///
  /// Values that refer to an earlier class of the new name would lead to unrelated objects, so they
  /// are first set to nil.
  /// - Parameter schema: The schema of the file when the tables are renamed.
  package static func anyValues(
    in schema: Schema, from className: String, to newName: String
  ) -> [String] {
    SchemaReferences(schema).anyValues.flatMap { reference -> [String] in
      let table = SQLName.quote(reference.table)
      let typeColumn = reference.typeColumn
      let type = SQLName.quote(typeColumn)
      let isDangling = AnyValueSQL.isLink(typeColumn, to: newName)
      let name = StoredValue.text(AnyValueSQL.typeName(className: newName)).sqlLiteral
      return [
        reference.collection?.kind == .set
          ? "DELETE FROM \(table) WHERE \(isDangling)"
          : "UPDATE \(table) SET \(SQLName.quote(reference.column)) = NULL, \(type) = NULL "
            + "WHERE \(isDangling)",
        "UPDATE \(table) SET \(type) = \(name) "
          + "WHERE \(AnyValueSQL.isLink(typeColumn, to: className))",
      ] + nestedValues(reference, from: newName, to: nil)
        + nestedValues(reference, from: className, to: newName)
    }
  }

  /// Returns the statements that set links to a deleted class to nil, in lists and dictionaries of
  /// an `AnyRealmValue`.
  package static func clearingNestedValues(in schema: Schema, of className: String) -> [String] {
    SchemaReferences(schema).anyValues.flatMap { nestedValues($0, from: className, to: nil) }
  }

  private static func nestedValues(
    _ reference: Reference, from className: String, to newName: String?
  ) -> [String] {
    // A set can't contain nested values.
    guard reference.collection?.kind != .set else { return [] }
    let value = SQLName.quote(reference.column)
    let type = SQLName.quote(reference.typeColumn)
    let old = StoredValue.text(className).sqlLiteral
    let new = newName.map { StoredValue.text($0).sqlLiteral } ?? "NULL"
    return [
      "UPDATE \(SQLName.quote(reference.table)) "
        + "SET \(value) = strata_nested_relinked(\(value), \(type), \(old), \(new)) "
        + "WHERE \(AnyValueSQL.isNested(reference.typeColumn)) "
        + "AND strata_nested_links(\(value), \(type), \(old), NULL)"
    ]
  }
}
