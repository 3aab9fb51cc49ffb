extension CollectionTable {
  /// Returns the statement that creates the table alone, under its own or another name.
  package func createTable(named other: String? = nil) -> String {
    var lines = columns.map(\.sql)
    if let primaryKey { lines.append("PRIMARY KEY (\(SQLName.list(primaryKey)))") }
    return """
      CREATE TABLE \(SQLName.quote(other ?? name)) (
        \(lines.joined(separator: ",\n  "))
      ) STRICT\(primaryKey == nil ? "" : ", WITHOUT ROWID")
      """
  }

  /// The statements that create the table with its indexes.
  package var statements: [String] { [createTable()] + indexes.map(\.sql) }

  /// The statement that removes duplicates from a set, which can occur while its index is missing.
  package var deleteDuplicates: String {
    let columns = [Self.owner, Self.value] + (typeColumnName.map { [$0] } ?? [])
    let table = SQLName.quote(name)
    return "DELETE FROM \(table) WHERE rowid NOT IN "
      + "(SELECT min(rowid) FROM \(table) GROUP BY \(SQLName.list(columns)))"
  }

  /// The index that finds elements by their values, and values of a map by their keys; nil if the
  /// model doesn't request one.
  package var elementsIndex: IndexDefinition? {
    guard property.wantsIndex else { return nil }
    return IndexDefinition(
      "INDEX", IndexSQL.elementsName(table: name), on: name,
      SQLName.list(kind == .map ? [Self.key, Self.value] : [Self.value]))
  }

  /// The indexes that keep the values of a nullable set unique, and that find the collections of an
  /// object and the collections with a value.
  package var indexes: [IndexDefinition] {
    var indexes = elementsIndex.map { [$0] } ?? []
    if primaryKey == nil {
      let columns = [Self.owner, Self.value] + (typeColumnName.map { [$0] } ?? [])
      indexes += [
        IndexDefinition(
          "UNIQUE INDEX", IndexSQL.name(table: name, column: Self.value), on: name,
          SQLName.list(columns)),
        IndexDefinition(
          "UNIQUE INDEX", IndexSQL.nilName(table: name, column: Self.value), on: name,
          SQLName.quote(Self.owner), where: "\(SQLName.quote(Self.value)) IS NULL"),
      ]
    }
    if property.type == .object {
      indexes.append(.plain(table: name, column: Self.value))
    }
    if let typeColumnName {
      indexes.append(.link(table: name, column: Self.value, typeColumn: typeColumnName))
    }
    return indexes
  }
}
