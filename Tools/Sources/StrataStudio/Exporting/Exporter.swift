package import GRDB
import StrataSchema

/// The writer of an answer in an export format, with constant memory.
package struct Exporter: Sendable {
  package var question: Question
  package var format: ObjectFormat
  /// The properties to export; nil for all.
  package var columns: [String]?
  /// The objects to export, instead of running the query.
  package var identities: [Int64]?

  /// The maximum number of objects; nil for all.
  package var limit: Int?

  package init(
    _ question: Question, _ format: ObjectFormat, columns: [String]? = nil,
    identities: [Int64]? = nil, limit: Int? = nil
  ) {
    self.question = question
    self.format = format
    self.columns = columns
    self.identities = identities
    self.limit = limit
  }

  /// Passes the text to a closure, in pieces of some kilobytes. Returns the number of objects.
  ///
  /// - Parameter invalid: Records values that don't fit their properties.
  /// - Throws: ``RequestFailure`` for an invalid query, and the errors of the closure.
  @discardableResult
  package func write(
    _ db: Database, _ schema: StudioSchema, noting invalid: InvalidValues? = nil,
    _ body: (String) throws -> Void
  ) throws -> Int {
    let reader = try ExportReader(question.className, columns, schema, db, noting: invalid)
    var text = ExportText(format, columns: reader.columns)
    var pending = text.start
    var count = 0
    let cursor = try reader.cursor(question, identities: identities, limit: limit)
    while let object = try cursor.next() {
      count += 1
      pending += text.row(object)
      guard pending.utf8.count > Self.pieceLength else { continue }
      try body(pending)
      pending = ""
    }
    try body(pending + text.end)
    return count
  }

  /// - Throws: ``RequestFailure`` for an invalid query.
  func check(_ db: Database, _ schema: StudioSchema) throws {
    _ = try question.compiled(schema)
    _ = try ExportReader(question.className, columns, schema, db)
  }

  private static let pieceLength = 32_768
}
