/// `CREATE TABLE` for a class.
///
/// ```sql
/// CREATE TABLE "Person" (
///   "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
///   "name" TEXT NOT NULL,
///   "age" INTEGER
/// ) STRICT
/// ```
package enum CreateTableSQL {
  /// The statement that makes the table alone, under its own or another name.
  ///
  /// `AUTOINCREMENT` makes SQLite never give the identity of a deleted row to a new one, so whoever
  /// still holds the old object cannot meet another in its place.
  /// - Parameter extraColumns: Definitions of columns that other tools added, kept as they are.
  package static func table(
    _ schema: ObjectSchema,
    named name: String? = nil,
    extraColumns: [String] = []
  ) -> String {
    let identity = SQLName.quote(schema.identityColumn)
    let columns =
      ["\(identity) INTEGER PRIMARY KEY AUTOINCREMENT"]
      + schema.properties.flatMap(\.columns).map(\.sql)
      + extraColumns
    return """
      CREATE TABLE \(SQLName.quote(name ?? schema.className)) (
        \(columns.joined(separator: ",\n  "))
      ) STRICT
      """
  }

  /// The statements that make the table with its indexes and its primary key, and the tables of
  /// its collections.
  package static func statements(_ schema: ObjectSchema) -> [String] {
    [table(schema)] + IndexSQL.createAll(of: schema)
      + schema.collectionTables.flatMap(\.statements)
  }
}
