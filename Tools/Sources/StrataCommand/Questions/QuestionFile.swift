import Foundation
import GRDB
import Strata
import StrataStorage
import StrataStudio

/// A file that questions are asked of in a terminal: one committed state of it, which is only read.
struct QuestionFile {
  private let realm: Realm
  /// Kept as long as the file is read.
  private let converted: ConvertedFile?
  let schema: StudioSchema

  /// - Parameter isQuiet: Whether no progress is shown while a file of Realm is read.
  /// - Throws: ``CommandFailure`` for a file that is not of Strata or Realm, and the errors of
  ///   opening.
  init(_ file: InputFile, isQuiet: Bool = false) throws {
    // SQLite has files beside the one that is read, and removes them at the end.
    Interruption.listen()
    let (input, converted) = try file.readable(isQuiet: isQuiet)
    self.converted = converted
    _ = try input.inspection()
    var configuration = Realm.Configuration(fileURL: input.url, readOnly: true)
    configuration.encryptionKey = input.databaseKey
    configuration.dynamicClasses = .all
    // Frozen: what others commit between two questions isn't seen.
    realm = try Realm(configuration: configuration).freeze()
    schema = StudioSchema(realm.schema)
  }

  /// Reads, until the user wants to end it: in the middle of a statement, too.
  ///
  /// - Throws: What the closure throws, and `CancellationError` after Control-C.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try realm.withDatabase { db in
      try Cancellation.watch(db, for: Interruption.cancellation) { try body(db) }
    }
  }
}

extension CommandFailure {
  /// A mistake in a question: the question, what is wrong, and where.
  init(_ question: String, _ message: String, column: Int?) {
    let place = column.map { " (column \($0))" } ?? ""
    self.init(.usage, "\(PlainText.of(question)): \(PlainText.of(message))\(place)")
  }

  /// A mistake that the reader found in a question.
  ///
  /// - Parameter start: Where the condition begins in the question.
  init(_ failure: RequestFailure, in question: String, conditionColumn start: Int) {
    let column = failure.details.first { $0.name == "column" }?.value.integer.map { Int($0) }
    guard let column else {
      self.init(question, failure.message, column: nil)
      return
    }
    // A sentence that names the place counts from the beginning of the condition.
    let named = "(column \(column))"
    let shown = column + start - 1
    if failure.message.contains(named) {
      let message = failure.message.replacingOccurrences(of: named, with: "(column \(shown))")
        // A parenthesis that nothing closes is at another place.
        .replacing(#/ in column (\d+) (?=\(column \d+\))/#) { match in
          " in column \((Int(match.1) ?? 1) + start - 1) "
        }
      self.init(question, message, column: nil)
    } else {
      self.init(question, failure.message, column: shown)
    }
  }
}
