import Foundation
import IssueReporting
import Logging
import StrataStorage

/// The status of a running migration, and the error that ended the migration.
///
/// The first error is kept here and thrown when the block returns. Later calls of the block do
/// nothing.
final class BlockStatus {
  @exclusivity(unchecked) private(set) var error: RealmError?
  /// Whether the block has returned.
  @exclusivity(unchecked) private(set) var isOver = false
  /// Whether the migration continues: no error has occurred, and the block has not returned.
  @exclusivity(unchecked) private(set) var isSound = true
  let logger: Logger?
  private let url: URL?

  init(_ url: URL?, _ logger: Logger?) {
    self.url = url
    self.logger = logger
  }

  /// Records that the block has returned. Objects that the program retains still refer to this
  /// status, and do nothing.
  func end() {
    isOver = true
    isSound = false
  }

  /// Returns whether the migration may continue.
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
    // Logged at once: the block may stop the process when it then uses a missing value.
    logger?.error("The migration can't go on: \(error.loggedMessage)")
  }

  /// Ends the migration with an error of any kind. Doesn't write pending rows, which may fail
  /// again.
  func fail(_ error: any Error) { fail(naming(error)) }

  /// Converts an error of any kind into one that names the file.
  func naming(_ error: any Error) -> RealmError { RealmError(error, at: url) }

  /// Runs work on the database, whose errors end the migration. Does nothing after the block has
  /// returned.
  func attempt<Result>(_ body: () throws -> Result) -> Result? {
    guard !isOver else { return nil }
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  /// Runs work on the database, unless the migration has failed before.
  func attemptIfSound(_ body: () throws -> Void) {
    if isSound { _ = attempt(body) }
  }
}

/// A wrapper of an error that the program's block threw, to distinguish it from the library's own
/// errors.
struct BlockFailure: Error {
  let error: any Error
}

/// The records of what a block has read, changed and deleted.
final class BlockNotes {
  /// A counter that changes with each row or table of the new side.
  @exclusivity(unchecked) private(set) var version = 0
  /// The properties of the file that the block has read, renamed or deleted, as `Person.age`.
  private(set) var carried: Set<String> = []
  /// The properties of the file whose names the block has given to others.
  var replaced: [PossibleLoss] = []
  /// The rows that the block deleted. Their old objects have no counterpart any more.
  private var deleted: [String: RowSet] = [:]
  /// The classes whose rows triggers may have deleted.
  private(set) var uncertain: Set<String> = []
  /// The classes whose new rows may differ from the old ones; nil for all.
  private var touched: Set<String>? = []

  var resolutionCount = 0
  /// The number of conditions whose rows were recorded.
  var conditionCount = 0

  func recordChange() { version += 1 }

  func recordCarried(_ columns: some Sequence<String>, of className: String) {
    for column in columns { carried.insert("\(className).\(column)") }
  }

  // MARK: Deleted rows

  /// Records a deleted row. Returns false if it was already recorded.
  func recordDeleted(_ row: Int64, of className: String) -> Bool {
    version += 1
    return deleted[className, default: RowSet()].insert(row)
  }

  /// Returns whether the block itself has deleted a row.
  @inline(__always)
  func hasDeleted(_ row: Int64, of className: String) -> Bool {
    !deleted.isEmpty && deleted[className]?.contains(row) == true
  }

  /// Records that triggers may have deleted objects of some classes.
  func recordUncertain(_ classNames: Set<String>) { uncertain.formUnion(classNames) }

  // MARK: Touched rows

  /// Records that rows of a class, or of all classes, may have changed outside of their loop.
  func touch(_ className: String?) {
    if let className { touched?.insert(className) } else { touched = nil }
  }

  func isTouched(_ className: String) -> Bool { touched?.contains(className) ?? true }
}

/// The tables and the model classes that the block has used.
final class BlockTables {
  /// The old tables, by their names in the file.
  @exclusivity(unchecked) var old: [String: MigrationTable] = [:]
  @exclusivity(unchecked) var new: [String: MigrationTable] = [:]
  /// The model classes that the block has used as types of rows.
  @exclusivity(unchecked) var typed: [TypedClassKey: TypedClass] = [:]
  /// The clock with which typed objects compare their stamps.
  let typedClock = StampClock()

  func end() {
    old = [:]
    new = [:]
    typed = [:]
  }
}

/// The objects that a block has created from other objects.
final class Creations {
  /// The creator that is creating objects now.
  var creator: MigrationCreator?
  /// The rows of unmanaged objects that the block has added to the file.
  var promoted: [ObjectBase: Int64] = [:]
}
