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
