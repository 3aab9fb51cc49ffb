import GRDB
import StrataSchema

/// A reader of objects by identity. One statement reads all properties of some rows; the labels of
/// linked objects follow.
struct RowReader {
  private let schema: StudioSchema
  private let db: Database
  private let objectSchema: ObjectSchema
  private let columns: [ShownColumn]
  /// The columns of the statement with the table alias `t`, in the order of the shown columns.
  private let values: [ValueColumns]
  /// The joins for properties of linked objects.
  private let joins: String

  /// The maximum number of characters in a cell.
  static let longestText = 200

  init(
    _ schema: StudioSchema, _ db: Database, _ objectSchema: ObjectSchema,
    showing columns: [ShownColumn]? = nil, longestText: Int = longestText
  ) {
    self.schema = schema
    self.db = db
    self.objectSchema = objectSchema
    self.columns = columns ?? ShownColumn.all(of: objectSchema)
    var joins = ""
    var aliases: [[String]: String] = [:]
    values = self.columns.map { column in
      var (alias, table) = ("t", objectSchema)
      for (depth, link) in column.links.enumerated() {
        guard let target = link.objectClassName.flatMap({ schema.schema[$0] }) else { break }
        let path = column.links[...depth].map(\.name)
        let identity = SQLName.quote(target.identityColumn)
        if let known = aliases[path] {
          alias = known
        } else {
          let made = "j\(aliases.count)"
          joins +=
            " LEFT JOIN \(SQLName.quote(target.className)) AS \(made) "
            + "ON \(made).\(identity) = \(alias).\(SQLName.quote(link.columnName))"
          aliases[path] = made
          alias = made
        }
        table = target
      }
      return ValueColumns(
        column.property, of: table.className, alias,
        identity: "\(alias).\(SQLName.quote(table.identityColumn))", longestText: longestText,
        allowsNil: !column.links.isEmpty)
    }
    self.joins = joins
  }

  /// The rows in the order of the identities. Missing rows are left out.
  func cells(_ identities: [Int64]) throws -> [(identity: Int64, cells: [ValueCell])] {
    let identity = "t.\(SQLName.quote(objectSchema.identityColumn))"
    let selection = ([identity] + values.flatMap(\.sql)).joined(separator: ", ")
    var found: [Int64: [ValueCell]] = [:]
    try db.forEachRow(
      """
      SELECT \(selection) FROM \(SQLName.quote(objectSchema.className)) AS t\(joins) \
      WHERE \(identity) IN (SELECT value FROM json_each(?))
      """, [IdentityList.parameter(identities)]
    ) { row in
      guard let identity = row.integer(0) else { return }
      var index = 1
      found[identity] = values.map { column in
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
        let values = zip(columns, row.cells).map { column, cell in
          schema.changed.marked(
            cell.json(labels), objectSchema.className, column.path, row.identity)
        }
        return ["id": .int(row.identity), "values": .array(values)]
      })
  }
}
