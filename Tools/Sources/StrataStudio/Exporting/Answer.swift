package import GRDB
import StrataSchema

/// The answer to a query for a terminal, one object at a time, with constant memory.
package struct Answer {
  private let question: Question
  private let schema: StudioSchema
  private let db: Database
  private let limit: Int?
  package let columns: [ShownColumn]

  /// - Parameters:
  ///   - paths: The paths of the properties to show; nil for all properties.
  ///   - limit: The maximum number of objects; nil for all.
  /// - Throws: ``RequestFailure`` if the class doesn't exist, and for an invalid path.
  package init(
    _ question: Question, _ schema: StudioSchema, _ db: Database, showing paths: [String]? = nil,
    limit: Int? = nil
  ) throws(RequestFailure) {
    self.question = question
    self.schema = schema
    self.db = db
    self.limit = limit
    var columns: [ShownColumn] = []
    let table = try schema.objectSchema(question.className)
    for path in paths ?? table.properties.map(\.name) {
      columns.append(try ShownColumn(path, of: table.className, schema))
    }
    self.columns = columns
  }

  /// The number of objects, up to the limit.
  package func count(atMost limit: Int?) throws -> Int {
    let count = try question.compiled(schema).count(db)
    return min(count, limit ?? .max)
  }

  /// Calls a closure with the identity and the values of each object, in the form of the page.
  /// Returns the number of objects.
  package func forEach(_ body: (Int64, [JSONValue]) throws -> Void) throws -> Int {
    let reader = RowReader(
      schema, db, try schema.objectSchema(question.className), showing: columns,
      longestText: Self.longestText)
    var batches = try IdentityBatches(question, schema, db, limit: limit)
    var count = 0
    while let identities = try batches.next() {
      let rows = try reader.cells(identities)
      let labels = try Labels(of: rows.lazy.flatMap(\.cells).compactMap(\.link), schema, db)
      for row in rows {
        count += 1
        try body(row.identity, row.cells.map { $0.json(labels) })
      }
    }
    return count
  }

  private static let longestText = 1000

  /// Writes the objects as JSON, in the form of the page. Returns the number of objects.
  package func writeJSON(_ write: (String) throws -> Void) throws -> Int {
    let names = JSONValue.texts(columns.map(\.path))
    try write("{\"columns\":\(names),\"rows\":[")
    var isFirst = true
    let count = try forEach { identity, values in
      let row: JSONValue = ["id": .int(identity), "values": .array(values)]
      try write((isFirst ? "\n" : ",\n") + row.description)
      isFirst = false
    }
    try write(isFirst ? "]}\n" : "\n]}\n")
    return count
  }

  /// Writes the objects in an export format. Returns the number of objects.
  ///
  /// - Parameter invalid: Records values that don't fit their properties.
  package func writeText(
    _ format: ObjectFormat, noting invalid: InvalidValues, _ write: (String) throws -> Void
  ) throws -> Int {
    let exporter = Exporter(question, format, columns: columns.map(\.path), limit: limit)
    return try exporter.write(db, schema, noting: invalid, write)
  }
}
