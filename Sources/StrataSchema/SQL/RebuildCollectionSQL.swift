/// The statements that make the table of a collection anew, whose elements become optional or
/// required.
///
/// They are steps 4 to 7 of SQLite's procedure, as in ``RebuildTableSQL``.
package enum RebuildCollectionSQL {
  /// The statements in the order in which they must run, without those that make the indexes.
  ///
  /// Elements that are nil and may not be take the type's zero. A set that has the zero already
  /// keeps one of them.
  package static func statements(
    from old: CollectionTable, to new: CollectionTable
  ) -> [RebuildStatement] {
    let temporary = RebuildTableSQL.temporaryName(of: new.name)
    let source = SQLName.quote(old.name)
    let columns = new.columns.map(\.name)
    let values = columns.map { column -> String in
      let qualified = "\(source).\(SQLName.quote(column))"
      guard column == CollectionTable.value, !new.isNullable else { return qualified }
      return "COALESCE(\(qualified), \(StoredValue.zero(for: new.property.type).sqlLiteral))"
    }
    let order = [CollectionTable.owner, new.slot ?? CollectionTable.value]
    let insert = """
      INSERT\(new.kind == .set ? " OR IGNORE" : "") INTO \(SQLName.quote(temporary)) \
      (\(SQLName.list(columns)))
      SELECT \(values.joined(separator: ", "))
      FROM \(source) ORDER BY \(SQLName.list(order))
      """
    return [
      RebuildStatement(step: 4, sql: new.createTable(named: temporary)),
      RebuildStatement(step: 5, sql: insert),
      RebuildStatement(step: 6, sql: "DROP TABLE \(source)"),
      RebuildStatement(step: 7, sql: renameTable(temporary, to: new.name)),
    ]
  }

  /// The statements that give the table of a collection another name.
  ///
  /// SQLite refuses a new name that differs in case only, so there is one in between.
  package static func rename(_ old: CollectionTable, to new: CollectionTable) -> [String] {
    let temporary = RebuildTableSQL.temporaryName(of: new.name)
    return old.indexes.map { "DROP INDEX IF EXISTS \(SQLName.quote($0.name))" }
      + [renameTable(old.name, to: temporary), renameTable(temporary, to: new.name)]
      + new.indexes.map(\.sql)
  }

  private static func renameTable(_ old: String, to new: String) -> String {
    "ALTER TABLE \(SQLName.quote(old)) RENAME TO \(SQLName.quote(new))"
  }
}
