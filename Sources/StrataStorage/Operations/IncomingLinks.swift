package import GRDB
package import StrataSchema

/// The links to the rows of a file, found through all link columns and collections of its schema.
///
/// Dangling links, and links of deleted objects, are ignored: only the `sqlite3` tool leaves them.
package struct IncomingLinks {
  package struct Link {
    package let reference: Reference
    package let owner: Int64
    /// The position in a list, or the key in a map.
    package let slot: DatabaseValue

    /// Redirects the link to another row.
    package func replace(_ old: Int64, with new: Int64, _ db: Database) throws {
      let keySlot = reference.collection?.slot
      let sql = """
        UPDATE \(SQLName.quote(reference.table)) SET \(SQLName.quote(reference.column)) = ? \
        WHERE \(SQLName.quote(reference.owner)) = ? \
        AND \(SQLName.quote(keySlot ?? reference.column)) = ?
        """
      let place = keySlot == nil ? old.databaseValue : slot
      try db.cachedStatement(sql: sql).execute(arguments: [new, owner, place])
    }
  }

  package let db: Database
  package let schema: Schema
  private let references: SchemaReferences

  package init(db: Database, schema: Schema) {
    self.db = db
    self.schema = schema
    references = SchemaReferences(schema)
  }

  // MARK: To rows of a class

  /// Returns the rows without an incoming link.
  package func orphans(of target: ObjectSchema) throws -> [Int64] {
    let identity = SQLName.quote(target.identityColumn)
    return try Int64.fetchAll(
      db,
      sql: """
        \(target.allIdentities)
        WHERE \(identity) NOT IN (SELECT child FROM (\(allLinks(to: target)))) ORDER BY 1
        """)
  }

  /// Returns the rows with more than one incoming link.
  package func shared(of target: ObjectSchema) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT child FROM (\(allLinks(to: target)))
        WHERE child IN (\(target.allIdentities))
        GROUP BY child HAVING count(*) > 1 ORDER BY 1
        """)
  }

  /// Returns the links to a row, sorted by class, row, property, and position or key.
  package func all(to row: Int64, of target: ObjectSchema) throws -> [Link] {
    let links = references.links(to: target.className)
    let sql = """
      SELECT * FROM (\(allLinks(to: target))) WHERE child = ?
      ORDER BY class, owner, property, slot
      """
    return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [row]).map {
      Link(reference: links[$0["property"]], owner: $0["owner"], slot: $0["slot"])
    }
  }

  /// Whether any link or `AnyRealmValue` refers to a row.
  package func exist(to row: Int64, of target: ObjectSchema) throws -> Bool {
    try db.hasRow("SELECT 1 FROM (\(allLinks(to: target))) WHERE child = ? LIMIT 1", row)
      || references.anyValues.contains { try hasAnyValue($0, to: target, row: row) }
  }

  /// Returns SQL for all links to the class: owner, class and property, slot, and target row.
  private func allLinks(to target: ObjectSchema) -> String {
    let links = references.links(to: target.className)
    let selects = links.enumerated().map { index, link -> String in
      let first = links.firstIndex { $0.origin.className == link.origin.className } ?? index
      let (owner, column) = (SQLName.quote(link.owner), SQLName.quote(link.column))
      return "SELECT \(first) AS class, \(index) AS property, \(owner) AS owner, "
        + "\(link.collection?.slot.map(SQLName.quote) ?? "NULL") AS slot, \(column) AS child "
        + "FROM \(SQLName.quote(link.table)) WHERE \(column) IS NOT NULL"
        + (link.collection == nil ? "" : " AND \(owner) IN (\(link.origin.allIdentities))")
    }
    let none = "SELECT 0 AS class, 0 AS property, 0 AS owner, NULL AS slot, NULL AS child WHERE 0"
    return selects.isEmpty ? none : selects.joined(separator: " UNION ALL ")
  }

  // MARK: From AnyRealmValue

  /// Returns the first property of type `AnyRealmValue` that contains an object of the class.
  package func firstAnyValue(to target: ObjectSchema) throws -> Reference? {
    try references.anyValues.first { try hasAnyValue($0, to: target, row: nil) }
  }

  private func hasAnyValue(
    _ reference: Reference, to target: ObjectSchema, row: Int64?
  ) throws -> Bool {
    let table = SQLName.quote(reference.table)
    let value = SQLName.quote(reference.column)
    let condition = AnyValueSQL.isLink(reference.typeColumn, to: target.className)
    let rows = row.map(String.init) ?? target.allIdentities
    let found = try Row.fetchOne(
      db, sql: "SELECT 1 FROM \(table) WHERE \(condition) AND \(value) IN (\(rows)) LIMIT 1")
    return try found != nil || hasNestedValue(reference, to: target, row: row)
  }

  /// Whether a list or a dictionary of an `AnyRealmValue` contains an existing object.
  private func hasNestedValue(
    _ reference: Reference, to target: ObjectSchema, row: Int64?
  ) throws -> Bool {
    let (value, type) = (SQLName.quote(reference.column), SQLName.quote(reference.typeColumn))
    let className = target.className
    let name = StoredValue.text(className).sqlLiteral
    let values = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(value), \(type) FROM \(SQLName.quote(reference.table))
        WHERE \(AnyValueSQL.isNested(reference.typeColumn))
        AND strata_nested_links(\(value), \(type), \(name), ?)
        """, arguments: [row])
    let exists = """
      SELECT 1 FROM \(SQLName.quote(className)) WHERE \(SQLName.quote(target.identityColumn)) = ?
      """
    while let found = try values.next() {
      var links: [Int64] = []
      NestedValue(StoredValue(found[0] as DatabaseValue), typeName: found[1])?.forEach {
        if case .link(className, let link) = $0, row == nil || row == link { links.append(link) }
      }
      if try links.contains(where: { try db.hasRow(exists, $0) }) { return true }
    }
    return false
  }

  // MARK: To the objects inside of others

  /// Returns the properties with embedded objects, and their classes.
  package func children(of parent: ObjectSchema) -> [(Property, ObjectSchema)] {
    references.children(of: parent).compactMap { property in
      property.objectClassName.flatMap { schema[$0] }.map { (property, $0) }
    }
  }

  /// Returns the embedded objects in a property of a row, with their positions or keys.
  func children(
    in property: Property, of parent: ObjectSchema, _ row: Int64
  ) throws -> [(slot: DatabaseValue, row: Int64)] {
    let reference = Reference(origin: parent, property: property)
    let column = SQLName.quote(reference.column)
    let slot = reference.collection?.slot.map(SQLName.quote) ?? "NULL"
    let sql = """
      SELECT \(slot), \(column) FROM \(SQLName.quote(reference.table))
      WHERE \(SQLName.quote(reference.owner)) = ? AND \(column) IS NOT NULL
      """
    return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [row]).map { ($0[0], $0[1]) }
  }
}
