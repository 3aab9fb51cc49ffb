import GRDB
import StrataQuery
import StrataSchema

/// The answer to a question, row after row, in little memory.
struct RowStream {
  private let schema: StudioSchema
  private let db: Database

  /// How many rows are read with one statement.
  private static let batch = 500

  init(_ schema: StudioSchema, _ db: Database) {
    self.schema = schema
    self.db = db
  }

  /// Reads the rows, some hundred at a time.
  ///
  /// - Parameters:
  ///   - columns: What is shown of each; nil for all properties.
  ///   - limit: The most rows; nil for all.
  ///   - identities: The rows, instead of those that the question finds.
  ///   - body: Gets rows in the order of the answer, with the labels of what they link to.
  func forEach(
    _ question: Question, showing columns: [ShownColumn]? = nil, limit: Int? = nil,
    identities: [Int64]? = nil, longestText: Int,
    _ body: (_ rows: [(identity: Int64, cells: [ValueCell])], LabelReader) throws -> Void
  ) throws {
    let table = try schema.objectSchema(question.className)
    let reader = RowReader(schema, db, table, showing: columns, longestText: longestText)
    func give(_ identities: [Int64]) throws {
      let rows = try reader.cells(identities)
      var labels = LabelReader(schema, db)
      try labels.read(rows.lazy.flatMap(\.cells).compactMap(\.link))
      try body(rows, labels)
    }
    if let identities { return try give(identities) }
    let query = try question.compiled(schema)
    let sql = query.select("t.\(SQLName.quote(table.identityColumn))")
    let cursor = try Int64.fetchCursor(
      db, sql: sql + (limit.map { " LIMIT \($0)" } ?? ""), arguments: query.arguments)
    var batch: [Int64] = []
    while let identity = try cursor.next() {
      batch.append(identity)
      guard batch.count == Self.batch else { continue }
      try give(batch)
      batch = []
    }
    if !batch.isEmpty { try give(batch) }
  }
}
