import GRDB
import StrataSchema

/// A reader of objects by their identities: all properties of some rows, with one statement, and
/// the labels of what they link to.
struct RowReader {
  private let schema: StudioSchema
  private let db: Database
  private let objectSchema: ObjectSchema
  private let columns: ShownColumns

  /// The characters of a text that a cell gets.
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

  /// The rows in the order of their identities in the list; those that aren't there are left out.
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

  /// The rows as the page has them.
  func json(_ identities: [Int64]) throws -> JSONValue {
    let rows = try cells(identities)
    var labels = LabelReader(schema, db)
    try labels.read(rows.lazy.flatMap(\.cells).compactMap(\.link))
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
