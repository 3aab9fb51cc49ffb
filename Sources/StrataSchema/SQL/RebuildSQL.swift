/// The part of SQLite's procedure for other kinds of table changes that needs no catalog.
///
/// https://www.sqlite.org/lang_altertable.html#otheralter has twelve steps; these are steps 4 to 7.
/// The caller turns off foreign keys before the transaction (1, 2), stores the indexes, triggers
/// and views (3), sets `legacy_alter_table` around the rename if a view or a trigger mentions the
/// table, creates indexes, triggers and views again (8, 9) and checks the foreign keys (10).
package enum RebuildTableSQL {
  /// Returns the name of the table while it is rebuilt. No class may have this prefix.
  package static func temporaryName(of table: String) -> String {
    "strata_rebuild_\(table)"
  }

  /// Returns the statement that creates the new table beside the old one.
  package static func create(
    _ rebuild: TableRebuild, defaults: [String: String] = [:], extraColumns: [ExtraColumn]
  ) -> String {
    TableSQL.create(
      rebuild.target, named: temporaryName(of: rebuild.table), defaults: defaults,
      extraColumns: extraColumns.map(\.definition))
  }

  /// Returns the statement that copies rows to the new table, in the order of their identities.
  ///
  /// Columns of the old table are qualified with its name. SQLite treats an unknown unqualified
  /// quoted name as a string, and would copy that string.
  /// - Parameters:
  ///   - betweenParameters: Whether only the rows between the parameters 1 and 2 are copied.
  ///   - value: Replaces the expression of a column. Its arguments are the column's name in the new
  ///     table, the identity's name in the old table, and the expression.
  package static func copy(
    _ rebuild: TableRebuild, extraColumns: [ExtraColumn], betweenParameters: Bool = false,
    value: (_ column: String, _ identity: String, _ expression: String) -> String = { $2 }
  ) -> String {
    let old = SQLName.quote(rebuild.table)
    let identity = "\(old).\(SQLName.quote(rebuild.sourceIdentityColumn))"
    var copies = [(to: rebuild.target.identityColumn, from: identity)]
    copies += rebuild.columns.flatMap { Self.copies(of: $0, from: old) }.map {
      ($0.to, value($0.to, identity, $0.from))
    }
    for column in extraColumns {
      copies.append((to: column.name, from: "\(old).\(SQLName.quote(column.name))"))
    }
    let range = betweenParameters ? " WHERE \(identity) BETWEEN ?1 AND ?2" : ""
    return """
      INSERT INTO \(SQLName.quote(temporaryName(of: rebuild.table))) \
      (\(SQLName.list(copies.map(\.to))))
      SELECT \(copies.map(\.from).joined(separator: ", "))
      FROM \(old)\(range) ORDER BY \(identity)
      """
  }

  /// Returns the statements that replace the old table by the new one.
  package static func finish(_ rebuild: TableRebuild) -> [String] {
    let temporary = temporaryName(of: rebuild.table)
    let old = SQLName.quote(rebuild.table)
    return sequence(from: rebuild.table, to: temporary) + [
      "DROP TABLE \(old)", "ALTER TABLE \(SQLName.quote(temporary)) RENAME TO \(old)",
    ]
  }

  /// Copies the greatest identity ever assigned. Otherwise the identity of a deleted row would be
  /// reused.
  private static func sequence(from table: String, to temporary: String) -> [String] {
    let new = StoredValue.text(temporary).sqlLiteral
    let old = StoredValue.text(table).sqlLiteral
    return [
      "DELETE FROM sqlite_sequence WHERE name = \(new)",
      """
      INSERT INTO sqlite_sequence (name, seq)
      SELECT \(new), seq FROM sqlite_sequence WHERE name = \(old)
      """,
    ]
  }

  /// Returns the SQL of a value for some rows. Other rows get the column's usual source.
  ///
  /// - Parameter condition: The condition of the rows.
  package static func value(
    _ expression: String, where condition: String, otherwise column: TableRebuild.Column,
    in table: String
  ) -> String {
    let other = copies(of: column, from: SQLName.quote(table)).first?.from ?? "NULL"
    return "CASE WHEN \(condition) THEN \(expression) ELSE \(other) END"
  }

  /// Returns the columns of a property, and the sources of their values.
  static func copies(
    of column: TableRebuild.Column, from table: String
  ) -> [(to: String, from: String)] {
    func qualified(_ name: String) -> String { "\(table).\(SQLName.quote(name))" }
    let property = column.property
    guard property.isStoredInColumn else { return [] }
    switch column.source {
    case .column(let name):
      let value = (to: property.columnName, from: qualified(name))
      guard let typeColumnName = property.typeColumnName else { return [value] }
      return [value, (to: typeColumnName, from: qualified(name + "_type"))]
    case .columnOrDefault(let name, let value):
      let expression = "COALESCE(\(qualified(name)), \(value.sqlLiteral))"
      return [(to: property.columnName, from: expression)]
    case .expression(let sql): return [(to: property.columnName, from: sql)]
    case .value(let value):
      let value = (to: property.columnName, from: value.sqlLiteral)
      guard let typeColumnName = property.typeColumnName else { return [value] }
      return [value, (to: typeColumnName, from: StoredValue.null.sqlLiteral)]
    }
  }
}

/// The statements that rebuild the table of a collection, whose elements become optional or
/// required.
///
/// They are steps 4 to 7 of SQLite's procedure, as in ``RebuildTableSQL``.
package enum RebuildCollectionSQL {
  /// Returns the statements in the order in which they must run, without the creation of the
  /// indexes.
  ///
  /// Nil elements that become required get the type's zero. In a set that already contains the
  /// zero, one of them is kept.
  package static func statements(
    from old: CollectionTable, to new: CollectionTable
  ) -> [String] {
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
      new.createTable(named: temporary), insert, "DROP TABLE \(source)",
      renameTable(temporary, to: new.name),
    ]
  }

  /// Returns the statements that rename the table of a collection.
  ///
  /// SQLite refuses a new name that differs only in case, so an intermediate name is used.
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
