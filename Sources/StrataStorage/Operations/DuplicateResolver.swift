package import GRDB
package import StrataSchema

/// The runner of the statements that remove rows with a duplicate value, except one of each group.
///
/// The rows are collected in temporary tables, so the use of memory doesn't depend on their number.
package struct DuplicateResolver {
  /// The rows with the same value.
  package struct Group {
    package var number: Int64
    package var value: StoredValue
    package var survivor: Int64
  }

  private let db: Database
  private let sql: DuplicatesSQL
  private let schema: Schema
  private let className: String

  package init(_ db: Database, _ sql: DuplicatesSQL, of className: String, in schema: Schema) {
    self.db = db
    self.sql = sql
    self.className = className
    self.schema = schema.stored
  }

  /// Finds the rows with duplicate values. Returns the number of these values.
  package func find() throws -> Int {
    for sql in sql.findKeys { try db.execute(sql: sql) }
    let count = try Int.fetchOne(db, sql: sql.countKeys) ?? 0
    if count > 0 {
      for sql in sql.findRows { try db.execute(sql: sql) }
    }
    return count
  }

  /// Returns the groups after a number, in the order of their first rows.
  package func groups(after number: Int64, limit: Int) throws -> [Group] {
    let statement = try db.makeStatement(sql: sql.nextGroups)
    return try Row.fetchAll(statement, arguments: [number, limit]).map { row in
      Group(number: row[0], value: StoredValue(row[1] as DatabaseValue), survivor: row[2])
    }
  }

  /// Returns the rows to be deleted from a group. Without a limit, returns all of them.
  package func rows(of group: Group, limit: Int = -1) throws -> [Int64] {
    try Int64.fetchAll(
      db.makeStatement(sql: sql.rowsOfGroup), arguments: [group.number, limit])
  }

  /// Calls a closure for each row that will be deleted. Returns their number.
  package func forEachRow(_ body: (Int64) -> Void) throws -> Int {
    let rows = try Int64.fetchCursor(db, sql: sql.allRows)
    var count = 0
    while let row = try rows.next() {
      body(row)
      count += 1
    }
    return count
  }

  /// Redirects the links from deleted rows to the remaining ones. Returns the number of links.
  package func moveLinks() throws -> Int {
    let references = SchemaReferences(schema)
    var count = 0
    for reference in references.links(to: className) + references.anyValues {
      try db.execute(sql: sql.move(reference))
      count += db.changesCount
    }
    for reference in references.anyValues where reference.collection?.kind != .set {
      count += try moveNestedLinks(reference)
    }
    return count
  }

  /// Redirects the links in lists and dictionaries of an `AnyRealmValue`.
  private func moveNestedLinks(_ reference: Reference) throws -> Int {
    let isOwn = SQLName.same(reference.origin.className, className)
    let keys = [reference.owner] + (reference.collection?.slot.map { [$0] } ?? [])
    let table = SQLName.quote(reference.table)
    let (value, type) = (SQLName.quote(reference.column), SQLName.quote(reference.typeColumn))
    let name = StoredValue.text(className).sqlLiteral
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(value), \(type), \(SQLName.list(keys)) FROM \(table)
        WHERE \(AnyValueSQL.isNested(reference.typeColumn))
        AND strata_nested_links(\(value), \(type), \(name), NULL)
        """)
    let update = """
      UPDATE \(table) SET \(value) = ? \
      WHERE \(keys.map { "\(SQLName.quote($0)) = ?" }.joined(separator: " AND "))
      """
    var changes: [StatementArguments] = []
    var count = 0
    while let row = try rows.next() {
      guard let nested = NestedValue(StoredValue(row[0] as DatabaseValue), typeName: row[1]),
        try !isOwn || survivor(of: row[2]) == nil
      else { continue }
      var targets: [Int64: Int64] = [:]
      var links: [Int64] = []
      nested.forEach { if case .link(className, let row) = $0 { links.append(row) } }
      for link in links { targets[link] = try survivor(of: link) }
      guard !targets.isEmpty else { continue }
      count += links.count { targets[$0] != nil }
      let moved = nested.mapLinks { name, row in
        .link(className: name, row: name == className ? targets[row] ?? row : row)
      }
      let places = keys.indices.map { row[$0 + 2] as DatabaseValue }
      changes.append(StatementArguments([moved.text.databaseValue] + places))
    }
    for arguments in changes { try db.cachedStatement(sql: update).execute(arguments: arguments) }
    return count
  }

  /// Returns the remaining row for a deleted one; nil for a row that remains itself.
  private func survivor(of row: Int64) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: sql.survivorOfRow), arguments: [row])
  }

  /// Deletes the rows. Triggers delete their dependent rows.
  package func delete() throws { try db.execute(sql: sql.delete) }

  /// Drops the temporary tables.
  package func cleanUp() throws {
    for sql in sql.cleanUp { try db.execute(sql: sql) }
  }
}
