import Foundation
import Synchronization

/// A job, the file that it begins with, and what is in the file before and after.
struct Scenario: Sendable {
  let job: String
  let before: FileDump
  let after: FileDump
  /// The files as they are before, in memory: scenarios are kept until the process ends.
  private let start: [String: Data]

  private static let known = Mutex<[String: Scenario]>([:])

  /// - Parameter hot: Whether a crashed process left a WAL beside the file.
  static func of(_ job: String, hot: Bool = false) throws -> Scenario {
    let name = hot ? "\(job) hot" : job
    if let scenario = known.withLock({ $0[name] }) { return scenario }
    let scenario = try Scenario(job, hot: hot)
    known.withLock { $0[name] = scenario }
    return scenario
  }

  private init(_ job: String, hot: Bool) throws {
    self.job = job
    let folder = try Folder()
    let prepared = try Worker(hot ? "prepare-hot" : "prepare", job, folder).ending()
    guard prepared.isKilled == hot, hot || prepared.status == 0 else {
      throw Unexpected(ending: prepared)
    }
    start = try Folder.files(in: folder.url)
    before = try FileDump.read(folder.file)
    let end = try Folder(start)
    let ended = try Worker.run(job, end)
    guard ended.events != nil else { throw Unexpected(ending: ended) }
    after = try FileDump.read(end.file)
  }

  struct Unexpected: Error {
    var ending: Worker.Ending
  }

  /// A copy of the file as it is before.
  func newFolder() throws -> Folder { try Folder(start) }

  /// Whether the file of Realm is as it was.
  func keepsOldFile(in folder: Folder) throws -> Bool {
    try Folder.files(in: folder.url)["old.realm"] == start["old.realm"]
  }

  /// How many of some events the job has.
  func count(_ events: String) throws -> Int {
    let ending = try Worker.run(job, newFolder(), ["at=\(events)"])
    guard let count = ending.events else { throw Unexpected(ending: ending) }
    return count
  }

  enum State { case before, after }

  /// Returns which of the two states the file has.
  ///
  /// - Throws: ``Wrong`` with the problem, if the file has neither.
  func state(of file: URL) throws(Wrong) -> State {
    let dump: FileDump
    do {
      dump = try FileDump.read(file)
    } catch {
      throw Wrong("the file can't be read: \(error)")
    }
    guard dump.problems.isEmpty else { throw Wrong("SQLite reports \(dump.problems)") }
    if dump == before { return .before }
    if dump == after { return .after }
    throw Wrong(
      "the file is neither old nor new. Other than before:\n\(dump.difference(from: before))\n"
        + "Other than after:\n\(dump.difference(from: after))")
  }
}

/// The error for an unexpected state after a fault.
struct Wrong: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
