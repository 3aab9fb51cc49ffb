import Foundation
import GRDB
import Strata
import StrataStorage
import StrataStudio

/// A file that the command queries: one committed state, read-only.
struct QuestionFile {
  private let realm: Realm
  /// Keeps the converted file alive while it is read.
  private let converted: ConvertedFile?
  let schema: StudioSchema

  /// - Parameter isQuiet: Whether no progress is shown while a file of Realm is converted.
  /// - Throws: ``CommandFailure`` if the file is not of Strata or Realm, and the errors of opening.
  init(_ file: InputFile, isQuiet: Bool = false) throws {
    // SQLite creates files beside the database; Control-C must close it, so that they are deleted.
    Interruption.listen()
    let (input, converted) = try file.readable(isQuiet: isQuiet)
    self.converted = converted
    _ = try input.inspection()
    // Frozen, so that all queries of one command see the same state.
    realm = try Realm(configuration: input.configuration(readOnly: true)).freeze()
    schema = StudioSchema(realm.schema)
  }

  /// Reads from the file. Control-C also interrupts a running statement.
  ///
  /// - Throws: The errors of the closure, and `CancellationError` after Control-C.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try realm.withDatabase { db in
      try Cancellation.watch(db, for: Interruption.cancellation) { try body(db) }
    }
  }
}

extension CommandFailure {
  /// The failure for a mistake in a query, with its text and the column.
  init(_ question: String, _ message: String, column: Int?) {
    let place = column.map { " (column \($0))" } ?? ""
    self.init(.usage, "\(PlainText.of(question)): \(PlainText.of(message))\(place)")
  }

  /// The failure for a mistake that the reader found in a query.
  ///
  /// - Parameter start: The column where the condition begins in the query.
  init(_ failure: RequestFailure, in question: String, conditionColumn start: Int) {
    let column = failure.details.first { $0.name == "column" }?.value.integer.map { Int($0) }
    guard let column else {
      self.init(question, failure.message, column: nil)
      return
    }
    // Columns in the message count from the beginning of the condition.
    let named = "(column \(column))"
    let shown = column + start - 1
    if failure.message.contains(named) {
      let message = failure.message.replacingOccurrences(of: named, with: "(column \(shown))")
        // The message about an unclosed parenthesis has a second column.
        .replacing(#/ in column (\d+) (?=\(column \d+\))/#) { match in
          " in column \((Int(match.1) ?? 1) + start - 1) "
        }
      self.init(question, message, column: nil)
    } else {
      self.init(question, failure.message, column: shown)
    }
  }
}
