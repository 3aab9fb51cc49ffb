import GRDB
import StrataSchema

/// A reader of objects by identity. One statement reads all properties of some rows; the labels of
/// linked objects follow.
struct RowReader {
  private let schema: StudioSchema
  private let db: Database
  private let objectSchema: ObjectSchema
  private let columns: ShownColumns

  /// The maximum number of characters in a cell.
  static let longestText = 200

  init(
    _ schema: StudioSchema, _ db: Database, _ objectSchema: ObjectSchema,
    showing columns: [ShownColumn]? = nil, longestText: Int = longestText
  ) {
    self.schema = schema
    self.db = db
    self.objectSchema = objectSchema
    self.columns = ShownColumns(
      columns ?? ShownColumn.all(of: objectSchema), of: objectSchema, schema,
      longestText: longestText)
  }

  /// The rows in the order of the identities. Missing rows are left out.
  func cells(_ identities: [Int64]) throws -> [(identity: Int64, cells: [ValueCell])] {
    let identity = "t.\(SQLName.quote(objectSchema.identityColumn))"
    let selection = ([identity] + columns.values.flatMap(\.sql)).joined(separator: ", ")
    var found: [Int64: [ValueCell]] = [:]
    try db.forEachRow(
      """
      SELECT \(selection) FROM \(SQLName.quote(objectSchema.className)) AS t\(columns.joins) \
      WHERE \(identity) IN (SELECT value FROM json_each(?))
      """, [IdentityList.parameter(identities)]
    ) { row in
      guard let identity = row.integer(0) else { return }
      var index = 1
      found[identity] = columns.values.map { column in
        defer { index += column.sql.count }
        return column.cell(row, at: index)
      }
    }
    return identities.compactMap { identity in found[identity].map { (identity, $0) } }
  }

  /// The rows in the form of the page.
  func json(_ identities: [Int64]) throws -> JSONValue {
    let rows = try cells(identities)
    let labels = try Labels(of: rows.lazy.flatMap(\.cells).compactMap(\.link), schema, db)
    return .array(
      rows.map { row in
        let values = zip(columns.columns, row.cells).map { column, cell in
          schema.changed.marked(
            cell.json(labels), objectSchema.className, column.path, row.identity)
        }
        return ["id": .int(row.identity), "values": .array(values)]
      })
  }
}
