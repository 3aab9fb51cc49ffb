package import GRDB
import StrataSchema

/// The writer of the answer to a question in a format for other programs, in little memory.
package struct Exporter: Sendable {
  package var question: Question
  package var format: ExportFormat
  /// The properties; nil for all.
  package var columns: [String]?
  /// The objects, instead of those that the question finds.
  package var identities: [Int64]?

  /// The most objects; nil for all.
  package var limit: Int?

  package init(
    _ question: Question, _ format: ExportFormat, columns: [String]? = nil,
    identities: [Int64]? = nil, limit: Int? = nil
  ) {
    self.question = question
    self.format = format
    self.columns = columns
    self.identities = identities
    self.limit = limit
  }

  /// Gives the text to a closure, some kilobytes at a time; returns how many objects there were.
  ///
  /// - Parameter invalid: Hears of values that can't be ones of their properties.
  /// - Throws: ``RequestFailure`` for a question that can't be asked, and what the closure throws.
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

  /// - Throws: ``RequestFailure`` for a question that can't be asked.
  func check(_ db: Database, _ schema: StudioSchema) throws {
    _ = try question.compiled(schema)
    _ = try ExportReader(question.className, columns, schema, db)
  }

  private static let pieceLength = 32_768
}
