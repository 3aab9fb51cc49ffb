/// Indexes, and the unique indexes that make a primary key.
///
/// An index is called `Class.column`. No class has a dot in its name, so it never meets a table,
/// with which it shares one space of names in SQLite.
package enum IndexSQL {
  /// The name of the index of a column, plain or unique.
  package static func name(table: String, column: String) -> String {
    "\(table).\(column)"
  }

  /// The name of the index that allows one NULL in an optional primary key.
  package static func nilName(table: String, column: String) -> String {
    "\(table).\(column) nil"
  }

  /// The statement that makes a plain index.
  package static func create(table: String, column: String) -> String {
    create("INDEX", name(table: table, column: column), on: table, SQLName.quote(column))
  }

  /// The statement that removes a plain index.
  package static func drop(table: String, column: String) -> String {
    "DROP INDEX IF EXISTS \(SQLName.quote(name(table: table, column: column)))"
  }

  /// The statements that make a column the primary key.
  ///
  /// To SQLite all NULLs are distinct in a unique index; to Realm two nils are duplicates. For an
  /// optional key a second index holds the same value once for each NULL, which makes them collide.
  package static func createPrimaryKey(table: String, property: Property) -> [String] {
    let column = property.columnName
    let quoted = SQLName.quote(column)
    let unique = create("UNIQUE INDEX", name(table: table, column: column), on: table, quoted)
    guard property.isNullable else { return [unique] }
    let isNull = "\(quoted) IS NULL"
    let nilName = nilName(table: table, column: column)
    return [
      unique,
      create("UNIQUE INDEX", nilName, on: table, "(\(isNull))") + " WHERE \(isNull)",
    ]
  }

  /// The statements that make a column an ordinary one again.
  package static func dropPrimaryKey(table: String, column: String) -> [String] {
    [name(table: table, column: column), nilName(table: table, column: column)]
      .map { "DROP INDEX IF EXISTS \(SQLName.quote($0))" }
  }

  /// The statements that make every index of a class, and its primary key if it has one.
  package static func createAll(of schema: ObjectSchema) -> [String] {
    let schema = schema.stored
    return schema.properties.flatMap { property -> [String] in
      if let key = schema.primaryKey, SQLName.same(property.name, key) {
        return createPrimaryKey(table: schema.className, property: property)
      }
      guard schema.hasPlainIndex(property) else { return [] }
      return [create(table: schema.className, column: property.columnName)]
    }
  }

  private static func create(
    _ kind: String, _ name: String, on table: String, _ term: String
  ) -> String {
    "CREATE \(kind) \(SQLName.quote(name)) ON \(SQLName.quote(table))(\(term))"
  }
}
