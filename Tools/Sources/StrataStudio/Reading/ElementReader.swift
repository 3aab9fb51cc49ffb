import GRDB
import StrataSchema

/// A reader of the elements of a collection in pages.
struct ElementReader {
  private let schema: StudioSchema
  private let db: Database
  private let table: CollectionTable
  private let columns: ValueColumns

  init(
    _ schema: StudioSchema, _ db: Database, _ table: CollectionTable,
    longestText: Int = RowReader.longestText
  ) {
    self.schema = schema
    self.db = db
    self.table = table
    columns = ValueColumns(elementsOf: table, "c", longestText: longestText)
  }

  /// Returns the next elements and the offset after them; nil at the end.
  ///
  /// - Parameters:
  ///   - after: The offset that an earlier call returned; nil for the start.
  ///   - shape: Adds details to the value of an element.
  func json(
    of owner: Int64, after: Int64?, limit: Int,
    shape: (ValueCell, JSONValue) throws -> JSONValue = { $1 }
  ) throws -> (list: JSONValue, last: Int64?) {
    let start = after ?? 0
    let key = table.kind == .map ? "c.key" : "NULL"
    let order = "c.\(table.slot ?? CollectionTable.value)"
    var cells: [(key: String?, cell: ValueCell)] = []
    try db.forEachRow(
      """
      SELECT \(key), \(columns.sql.joined(separator: ", ")) FROM \(SQLName.quote(table.name)) AS c \
      WHERE c.owner = ? ORDER BY \(order) LIMIT ? OFFSET ?
      """, [.integer(owner), .integer(Int64(limit) + 1), .integer(start)]
    ) { row in
      cells.append((row.text(0), columns.cell(row, at: 1)))
    }
    let hasMore = cells.count > limit
    if hasMore { cells.removeLast() }
    let labels = try Labels(of: cells.compactMap(\.cell.link), schema, db)
    let list = try cells.enumerated().map { offset, element -> JSONValue in
      let value = try shape(element.cell, element.cell.json(labels))
      return switch table.kind {
      case .list: ["at": .int(start + Int64(offset)), "value": value]
      case .set: ["value": value]
      case .map: ["key": .optional(element.key) { .text($0) }, "value": value]
      }
    }
    return (.array(list), hasMore ? start + Int64(limit) : nil)
  }

  func count(of owner: Int64) throws -> Int {
    try db.count(
      "SELECT count(*) FROM \(SQLName.quote(table.name)) WHERE owner = ?", [.integer(owner)])
  }
}
