/// Indexes, and the unique indexes that make a primary key.
///
/// An index is called `Class.column`. No class has a dot in its name, so the name never collides
/// with a table, with which an index shares a namespace in SQLite.
package enum IndexSQL {
  package static func name(table: String, column: String) -> String {
    "\(table).\(column)"
  }

  /// Returns the name of the index that allows one NULL in an optional primary key.
  package static func nilName(table: String, column: String) -> String {
    "\(table).\(column) nil"
  }

  /// Returns the name of the index that finds the links of an `AnyRealmValue`.
  package static func linkName(table: String, column: String) -> String {
    "\(table).\(column) link"
  }

  /// Returns the name of the index that finds the elements of a collection by their values.
  package static func elementsName(table: String) -> String {
    "\(table).elements"
  }

  package static func name(table: String, columns: [String]) -> String {
    "\(table).\(columns.joined(separator: ", "))"
  }

  package static func create(table: String, columns: [String]) -> String {
    IndexDefinition.plain(table: table, columns: columns).sql
  }

  package static func drop(table: String, columns: [String]) -> String {
    "DROP INDEX IF EXISTS \(SQLName.quote(name(table: table, columns: columns)))"
  }

  /// Returns the statements that make a column the primary key.
  ///
  /// For SQLite all NULLs are distinct in a unique index; for Realm two nils are duplicates. For an
  /// optional key, a second index has the same value for each NULL, so that two NULLs collide.
  package static func createPrimaryKey(table: String, property: Property) -> [String] {
    let column = property.columnName
    let quoted = SQLName.quote(column)
    let unique = IndexDefinition(
      "UNIQUE INDEX", name(table: table, column: column), on: table, quoted)
    guard property.isNullable else { return [unique.sql] }
    let isNull = "\(quoted) IS NULL"
    let nilIndex = IndexDefinition(
      "UNIQUE INDEX", nilName(table: table, column: column), on: table, "(\(isNull))",
      where: isNull)
    return [unique.sql, nilIndex.sql]
  }

  /// Returns the statements that make a column an ordinary one again.
  package static func dropPrimaryKey(table: String, column: String) -> [String] {
    [name(table: table, column: column), nilName(table: table, column: column)]
      .map { "DROP INDEX IF EXISTS \(SQLName.quote($0))" }
  }

  /// Returns the statements that create every index of a class, and its primary key if it has one.
  ///
  /// The indexes of its collections are created with their tables.
  package static func createAll(of schema: ObjectSchema) -> [String] {
    let schema = schema.stored
    let indexes = schema.properties.flatMap { property -> [String] in
      if let key = schema.primaryKey, SQLName.same(property.name, key) {
        return createPrimaryKey(table: schema.className, property: property)
      }
      let plain =
        schema.hasPlainIndex(property)
        ? [create(table: schema.className, columns: [property.columnName])] : []
      return plain + links(of: property, in: schema.className).map(\.sql)
    }
    return indexes + schema.compoundIndexes.map { create(table: schema.className, columns: $0) }
  }

  /// Returns the indexes that are created with triggers: indexes that find the links to an object,
  /// indexes that keep the values of a set unique, and requested indexes of elements.
  package static func helpers(of schema: ObjectSchema) -> [IndexDefinition] {
    let schema = schema.stored
    let columns = schema.properties.flatMap { property -> [IndexDefinition] in
      if property.type == .object, schema.hasPlainIndex(property) {
        return [.plain(table: schema.className, columns: [property.columnName])]
      }
      return links(of: property, in: schema.className)
    }
    return columns + schema.collectionTables.flatMap(\.indexes)
  }

  /// Returns the index of the links in a column of `AnyRealmValue`.
  static func links(of property: Property, in table: String) -> [IndexDefinition] {
    guard let typeColumn = property.typeColumnName else { return [] }
    return [.link(table: table, column: property.columnName, typeColumn: typeColumn)]
  }
}

/// The required definition of an index in the file.
package struct IndexDefinition: Sendable, Hashable {
  package let name: String
  package let table: String
  /// The statement that creates the index, as stored in `sqlite_schema`.
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

  /// Returns the index of one column, or of several in their order.
  static func plain(table: String, columns: [String]) -> IndexDefinition {
    IndexDefinition(
      "INDEX", IndexSQL.name(table: table, columns: columns), on: table, SQLName.list(columns))
  }

  /// Returns the index of the values of an `AnyRealmValue` that are objects.
  ///
  /// The type of such a value is `<Dog>`, which sorts before the names of all other types. A query
  /// for links needs the condition `x_type < 'a'`: SQLite uses the index only then.
  static func link(table: String, column: String, typeColumn: String) -> IndexDefinition {
    IndexDefinition(
      "INDEX", IndexSQL.linkName(table: table, column: column), on: table, SQLName.quote(column),
      where: AnyValueSQL.isLink(typeColumn))
  }
}

/// The expressions that distinguish objects from other values by the type column of an
/// `AnyRealmValue`.
package enum AnyValueSQL {
  /// Returns the type of a value that is an object of a class: `<Dog>`.
  package static func typeName(className: String) -> String { "<\(className)>" }

  /// Returns the condition that a value is an object, for which SQLite can use the index of the
  /// links.
  package static func isLink(_ typeColumn: String) -> String {
    "\(SQLName.quote(typeColumn)) < 'a'"
  }

  /// Returns the condition that a value is a list or a dictionary.
  package static func isNested(_ typeColumn: String) -> String {
    let names = NestedKind.allCases.map { StoredValue.text($0.rawValue).sqlLiteral }
    return "\(SQLName.quote(typeColumn)) IN (\(names.joined(separator: ", ")))"
  }

  /// Returns the condition that a value is an object of a class.
  package static func isLink(_ typeColumn: String, to className: String) -> String {
    let name = StoredValue.text(typeName(className: className)).sqlLiteral
    return "\(isLink(typeColumn)) AND \(SQLName.quote(typeColumn)) = \(name)"
  }
}
