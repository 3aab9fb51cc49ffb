package import Dispatch
package import Foundation
package import GRDB
import Synchronization

/// The detector of writers other than the store's sessions: other processes, and code of the
/// program that uses the connection.
///
/// Belongs to the holder of the ``WriteConnection/queue``, except for ``recordUse()`` and
/// ``count``.
final class OtherWriters: Sendable {
  private let file: StoreFile
  private let expected: ExpectedSchema
  private let snapshots: SnapshotStore
  private let log: CommitRecorder
  private let lastDataVersion = Mutex<Int64?>(nil)
  private let hasShownConnection = Atomic<Bool>(false)
  private let writes = Atomic<UInt64>(1)
  let pauses = Mutex(WritePauses())
  /// The reading poller that is used until the first write.
  private let lookout: Lookout

  init(
    _ file: StoreFile, _ expected: ExpectedSchema, _ snapshots: SnapshotStore, _ log: CommitRecorder
  ) {
    self.file = file
    self.expected = expected
    self.snapshots = snapshots
    self.log = log
    lookout = Lookout(file.url, file.key)
  }

  func close() { lookout.close() }

  /// Records that code outside of the library uses the connection.
  func recordUse() {
    hasShownConnection.store(true, ordering: .relaxed)
    writes.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether code outside of the library has used the connection: it may have observers of GRDB.
  var haveHadConnection: Bool { hasShownConnection.load(ordering: .relaxed) }

  /// A number that increases when others than the store's sessions may have written rows.
  var count: UInt64 { writes.load(ordering: .relaxed) }

  /// Whether another process has committed since the last ``notice(_:)``.
  func haveCommitted(_ db: Database) throws -> Bool {
    try dataVersion(db) != lastDataVersion.withLock { $0 }
  }

  /// Advances the clock if another process has committed since the last call.
  ///
  /// `PRAGMA data_version` on the writing connection changes only for the commits of others.
  func notice(_ db: Database) throws {
    let version = try dataVersion(db)
    let last = lastDataVersion.withLock { $0 }
    guard last != version else { return }
    writes.wrappingAdd(1, ordering: .relaxed)
    // The first call counts as a change: another process may have written since the opening.
    if last == nil, try !mayHaveChanged() {
      lastDataVersion.withLock { $0 = version }
      return
    }
    db.clearSchemaCache()
    log.recordOtherCommit()
    // The first call may count a commit of this process.
    if last != nil { pauses.withLock { $0.otherCommitted(at: .now) } }
    try noticeCommit { try expected.check(db, at: file.url) }
    // Set last, so that later calls also detect a commit that has changed the schema.
    lastDataVersion.withLock { $0 = version }
  }

  /// Returns the time to wait before the next transaction: see ``WritePauses``.
  func pause() -> Duration? { pauses.withLock { $0.due(at: { .now }) } }

  func transactionEnded() { pauses.withLock { $0.transactionEnded(at: { .now }) } }

  /// Whether another process may have committed between the opening and the first write.
  private func mayHaveChanged() throws -> Bool {
    try !lookout.isOpen || lookout.seesChange(checking: expected.check)
  }

  /// Checks for commits without the writing connection, before the first write.
  func look() throws {
    switch try lookout.look(checking: expected.check) {
    case .nothing: break
    case .commit: try noticeCommit {}
    case .otherVersion(let error):
      log.receiver?.failed(error)
      // Readers continue: the history contains the migration, and the transactions after it.
      snapshots.commits.send()
      throw error
    }
  }

  private func dataVersion(_ db: Database) throws -> Int64? {
    try db.cachedStatement(sql: "PRAGMA data_version").firstRow { $0.int64(0) }
  }

  /// Assigns a number to the state that another process has committed.
  private func noticeCommit(checking check: () throws -> Void) throws {
    let receiver = log.receiver
    do {
      try snapshots.commit(check, for: receiver)
    } catch {
      receiver?.failed(RealmError(error, at: file.url))
      throw error
    }
  }
}

/// The pauses in which another process can begin to write.
///
/// SQLite has no queue of processes: a process that waits for the lock polls, and misses the
/// microseconds between the transactions of a program that writes without end. So while others
/// commit as well, the file stays unlocked for a third of the time.
struct WritePauses: Sendable {
  /// The time after a commit of another process for which there are pauses.
  static let memory = Duration.seconds(2)
  /// The shortest time of writing after which there is a pause.
  static let minRun = Duration.milliseconds(4)
  static let maxLength = Duration.milliseconds(10)

  private(set) var lastCommitOfOthers: ContinuousClock.Instant?
  private var runBegan: ContinuousClock.Instant?
  private(set) var lastEnd: ContinuousClock.Instant?

  mutating func otherCommitted(at now: ContinuousClock.Instant) {
    lastCommitOfOthers = now
    runBegan = runBegan ?? now
  }

  mutating func transactionEnded(at now: () -> ContinuousClock.Instant) {
    if lastCommitOfOthers != nil { lastEnd = now() }
  }

  /// Returns the rest of the pause before a transaction. Nil if the transaction may begin.
  mutating func due(at now: () -> ContinuousClock.Instant) -> Duration? {
    guard let lastCommitOfOthers else { return nil }
    let now = now()
    guard now - lastCommitOfOthers < Self.memory else {
      self = Self()
      return nil
    }
    guard let runBegan, let lastEnd, lastEnd - runBegan >= Self.minRun else { return nil }
    let rest = min((lastEnd - runBegan) / 2, Self.maxLength) - (now - lastEnd)
    guard rest <= .zero else { return rest }
    self.runBegan = now
    return nil
  }
}

/// A poller that detects the commits of other connections. It keeps a read-only connection, because
/// `PRAGMA data_version` compares with the last call on the same connection.
package final class Lookout: Sendable {
  private enum State {
    case unopened, closed
    /// With the appearance of the file, if the connection treats the file as immutable.
    case open(DatabaseQueue, FileAppearance?, last: Int64?)
  }

  private let url: URL
  private let key: FileKey?
  private let purpose: OpenConnections.Purpose
  private let state = Mutex(State.unopened)

  /// - Parameter purpose: Whether it belongs to a store. Opening the file again waits for the
  ///   connections of stores.
  package init(_ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose = .store) {
    self.url = url
    self.key = key
    self.purpose = purpose
  }

  /// The changes since the last poll.
  package enum Sight {
    case nothing
    case commit
    /// The file has another schema version now. Each later poll returns the same.
    case otherVersion(RealmError)
  }

  /// Whether anything was committed since the last poll. The first poll can't know, and returns
  /// true.
  package func seesChange(
    checking check: (Database, _ url: URL) throws -> Void
  ) throws(RealmError) -> Bool {
    switch try look(checking: check) {
    case .nothing: return false
    case .commit: return true
    case .otherVersion(let error): throw error
    }
  }

  /// Returns the changes since the last poll. The first poll can't know, and returns a commit.
  ///
  /// - Parameter check: Throws if the file has another schema now.
  package func look(
    checking check: (Database, _ url: URL) throws -> Void
  ) throws(RealmError) -> Sight {
    try translatingErrors(at: url) {
      try state.withLock { state in
        let queue: DatabaseQueue
        let appearance: FileAppearance?
        var last: Int64?
        switch state {
        case .closed: return .nothing
        case .open(let open, let seen, let version)
        where seen == nil || seen == FileAppearance(of: url):
          (queue, appearance, last) = (open, seen, version)
        case .open, .unopened:
          (queue, appearance) = try Connections.openReader(url, key, for: purpose)
        }
        // A failed poll is not recorded: the next one finds the same change.
        state = .open(queue, appearance, last: last)
        return try queue.unsafeRead { db in
          let version = try Int64.fetchOne(db, sql: "PRAGMA data_version")
          guard version != last else { return .nothing }
          do {
            try check(db, url)
          } catch let error as RealmError {
            return .otherVersion(error)
          }
          state = .open(queue, appearance, last: version)
          return .commit
        }
      }
    }
  }

  /// Whether the file was polled before.
  package var isOpen: Bool {
    state.withLock { state in
      if case .open = state { true } else { false }
    }
  }

  /// Closes the connection permanently.
  package func close() {
    state.withLock { $0 = .closed }
  }
}

/// A timer that polls a file.
package enum LookTimer {
  /// Calls a closure repeatedly after each interval in seconds. The default polls a file for
  /// changes five times a second.
  package static func start(
    every interval: Double = 0.2, _ body: @escaping @Sendable () -> Void
  ) -> sending any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
    timer.setEventHandler(handler: body)
    timer.resume()
    return timer
  }
}
