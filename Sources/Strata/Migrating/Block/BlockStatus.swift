import Foundation
import IssueReporting
import Logging
import StrataStorage

/// The state of a migration: whether it continues, and the first mistake that ended it.
///
/// The first mistake is kept here and thrown when the block returns; everything that the block asks
/// for after it does nothing.
final class BlockStatus {
  @exclusivity(unchecked) private(set) var error: RealmError?
  /// Whether the block has returned.
  @exclusivity(unchecked) private(set) var isOver = false
  /// Whether the migration continues: no mistake was made, and the block has not returned.
  @exclusivity(unchecked) private(set) var isSound = true
  let logger: Logger?
  private let url: URL?

  init(_ url: URL?, _ logger: Logger?) {
    self.url = url
    self.logger = logger
  }

  /// The block has returned. Objects that it kept still find this, and do nothing.
  func end() {
    isOver = true
    isSound = false
  }

  /// Whether work may go on.
  @inline(__always)
  func canWork() -> Bool { isSound || canStillWork() }

  @inline(never)
  private func canStillWork() -> Bool {
    if isOver { reportIssue("A migration was used after its block returned.") }
    return false
  }

  // MARK: Mistakes

  func fail(_ message: String) { fail(RealmError(.fail, message)) }

  func fail(_ error: RealmError) {
    guard self.error == nil else { return }
    self.error = error
    isSound = false
    // At once: what the block does next with a missing value may end the process.
    logger?.error("The migration can't go on: \(error.loggedMessage)")
  }

  /// Ends the migration with an error of any kind. Nothing is written first, which may fail again.
  func fail(_ error: any Error) { fail(naming(error)) }

  /// An error of any kind, with the file that it is about.
  func naming(_ error: any Error) -> RealmError { RealmError(error, at: url) }

  /// Runs work on the database whose failure ends the migration. After the block there is none.
  func attempt<Result>(_ body: () throws -> Result) -> Result? {
    guard !isOver else { return nil }
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  /// The same, unless the migration has failed before.
  func attemptIfSound(_ body: () throws -> Void) {
    if isSound { _ = attempt(body) }
  }
}

/// Thrown around what the user's block threw, so that it can be told from the library's own errors.
struct BlockFailure: Error {
  let error: any Error
}

/// The notes on what a block has read, changed and deleted.
final class BlockNotes {
  /// Changes whenever a row or a table of the new side does.
  @exclusivity(unchecked) private(set) var version = 0
  /// `Person.age`: the properties of the file that the block has read, renamed or deleted.
  private(set) var carried: Set<String> = []
  /// The properties of the file whose names the block has given to others.
  var replaced: [PossibleLoss] = []
  /// The rows that the block deleted, whose old objects have no counterpart any more.
  private var deleted: [String: RowSet] = [:]
  /// The classes whose rows triggers may have deleted.
  private(set) var uncertain: Set<String> = []
  /// The classes whose new rows may have other values than the old ones; nil for all.
  private var touched: Set<String>? = []

  /// How many times duplicates were looked for.
  var resolutionCount = 0
  /// How many times rows were noted for a condition.
  var conditionCount = 0

  func noteChange() { version += 1 }

  func noteCarried(_ columns: some Sequence<String>, of className: String) {
    for column in columns { carried.insert("\(className).\(column)") }
  }

  // MARK: Deleted rows

  /// Notes that a row was deleted; false when it was before.
  func noteDeleted(_ row: Int64, of className: String) -> Bool {
    version += 1
    return deleted[className, default: RowSet()].insert(row)
  }

  /// Whether the block has deleted a row itself.
  @inline(__always)
  func hasDeleted(_ row: Int64, of className: String) -> Bool {
    !deleted.isEmpty && deleted[className]?.contains(row) == true
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: Set<String>) { uncertain.formUnion(classNames) }

  // MARK: Touched rows

  /// Notes that rows of a class, or of all, may have changed outside of its loop.
  func touch(_ className: String?) {
    if let className { touched?.insert(className) } else { touched = nil }
  }

  func isTouched(_ className: String) -> Bool { touched?.contains(className) ?? true }
}

/// The tables and the model classes that the block has come to.
final class BlockTables {
  /// By the names in the file.
  @exclusivity(unchecked) var old: [String: MigrationTable] = [:]
  @exclusivity(unchecked) var new: [String: MigrationTable] = [:]
  /// The model classes that the block has used as types of rows.
  @exclusivity(unchecked) var typed: [TypedClassKey: TypedClass] = [:]
  /// What objects of these compare their stamps with.
  let typedClock = StampClock()

  func end() {
    old = [:]
    new = [:]
    typed = [:]
  }
}

/// The objects that a block has created of other objects.
final class Creations {
  /// What is creating objects at this moment.
  var creator: MigrationCreator?
  /// The rows of objects in memory that the block made part of the file.
  var promoted: [ObjectBase: Int64] = [:]
}
