import GRDB
import StrataSchema

/// A copier of rows with their collections and all embedded objects inside them.
final class RowCopier {
  private let db: Database
  private let links: IncomingLinks
  private var statements: [String: String] = [:]

  init(db: Database, links: IncomingLinks) {
    self.db = db
    self.links = links
  }

  /// Returns the identity of the copy; nil if there is no such row. Ordinary links are shared.
  func copy(_ row: Int64, of schema: ObjectSchema) throws -> Int64? {
    try db.cachedStatement(sql: try insertion(of: schema)).execute(arguments: [row])
    guard db.changesCount == 1 else { return nil }
    let copy = db.lastInsertedRowID
    for table in schema.collectionTables {
      let columns = SQLName.list(table.columns.map(\.name).filter { $0 != CollectionTable.owner })
      let name = SQLName.quote(table.name)
      let sql = """
        INSERT INTO \(name) ("owner", \(columns)) SELECT ?, \(columns) FROM \(name) WHERE "owner" = ?
        """
      try db.cachedStatement(sql: sql).execute(arguments: [copy, row])
    }
    for (property, child) in links.children(of: schema) {
      for (slot, row) in try children(in: property, of: schema, copy) {
        guard let childCopy = try self.copy(row, of: child) else { continue }
        let reference = Reference(origin: schema, property: property)
        try IncomingLinks.Link(reference: reference, owner: copy, slot: slot)
          .replace(row, with: childCopy, db)
      }
    }
    return copy
  }

  private func children(
    in property: Property, of schema: ObjectSchema, _ row: Int64
  ) throws -> [(slot: DatabaseValue, row: Int64)] {
    guard let table = CollectionTable(className: schema.className, property: property) else {
      return try links.children(in: property, of: schema, row: row).map { (.null, $0) }
    }
    let slot = SQLName.quote(table.slot ?? CollectionTable.value)
    let sql = """
      SELECT \(slot), "value" FROM \(SQLName.quote(table.name))
      WHERE "owner" = ? AND "value" IS NOT NULL
      """
    return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [row]).map { ($0[0], $0[1]) }
  }

  /// Includes the columns of other programs, except generated ones.
  private func insertion(of schema: ObjectSchema) throws -> String {
    if let sql = statements[schema.className] { return sql }
    let table = SQLName.quote(schema.className)
    let identity = SQLName.quote(schema.identityColumn)
    let columns = try Catalog.columns(of: schema.className, db)
      .filter { $0.hidden == 0 && !SQLName.collide($0.name, schema.identityColumn) }
    let names = SQLName.list(columns.map(\.name))
    // A class may have only collections.
    let sql =
      columns.isEmpty
      ? "INSERT INTO \(table) (\(identity)) SELECT NULL FROM \(table) WHERE \(identity) = ?"
      : "INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(table) WHERE \(identity) = ?"
    statements[schema.className] = sql
    return sql
  }
}
