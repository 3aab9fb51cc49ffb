/// An index as it must be in the file.
package struct IndexDefinition: Sendable, Hashable {
  package let name: String
  package let table: String
  /// The statement that makes it, as `sqlite_schema` keeps it.
  package let sql: String

  init(
    _ kind: String, _ name: String, on table: String, _ terms: String,
    where condition: String? = nil
  ) {
    self.name = name
    self.table = table
    sql =
      "CREATE \(kind) \(SQLName.quote(name)) ON \(SQLName.quote(table))(\(terms))"
      + (condition.map { " WHERE \($0)" } ?? "")
  }

  /// The plain index of a column.
  static func plain(table: String, column: String) -> IndexDefinition {
    IndexDefinition(
      "INDEX", IndexSQL.name(table: table, column: column), on: table, SQLName.quote(column))
  }

  /// The index of several columns, in their order.
  package static func compound(table: String, columns: [String]) -> IndexDefinition {
    IndexDefinition(
      "INDEX", IndexSQL.name(table: table, columns: columns), on: table, SQLName.list(columns))
  }

  /// The index of those values of an `AnyRealmValue` that are objects.
  ///
  /// The type of such a value is `<Dog>`, which sorts before the names of all other types. A
  /// query for links needs the condition `x_type < 'a'`: SQLite uses the index only then.
  static func link(table: String, column: String, typeColumn: String) -> IndexDefinition {
    IndexDefinition(
      "INDEX", IndexSQL.linkName(table: table, column: column), on: table, SQLName.quote(column),
      where: AnyValueSQL.isLink(typeColumn))
  }
}

/// The expressions by which the type column of an `AnyRealmValue` tells objects from other values.
package enum AnyValueSQL {
  /// The type of a value that is an object of a class: `<Dog>`.
  package static func typeName(className: String) -> String { "<\(className)>" }

  /// The condition that a value is an object, which lets SQLite use the index of the links.
  package static func isLink(_ typeColumn: String) -> String {
    "\(SQLName.quote(typeColumn)) < 'a'"
  }

  /// The condition that a value is a list or a dictionary.
  package static func isNested(_ typeColumn: String) -> String {
    let names = NestedKind.allCases.map { StoredValue.text($0.rawValue).sqlLiteral }
    return "\(SQLName.quote(typeColumn)) IN (\(names.joined(separator: ", ")))"
  }

  /// The condition that a value is an object of a class.
  package static func isLink(_ typeColumn: String, to className: String) -> String {
    let name = StoredValue.text(typeName(className: className)).sqlLiteral
    return "\(isLink(typeColumn)) AND \(SQLName.quote(typeColumn)) = \(name)"
  }
}
