import GRDB
import Synchronization

/// The knowledge of those that write to the file of a store beside its sessions: other processes,
/// and code of the program that has the connection.
///
/// Belongs to the holder of the ``WriteConnection/queue``, except for ``noteUse()`` and ``count``.
final class OtherWriters: Sendable {
  private let file: StoreFile
  private let expected: ExpectedSchema
  private let snapshots: SnapshotStore
  private let log: CommitRecorder
  private let lastDataVersion = Mutex<Int64?>(nil)
  /// How the file was before anything was read for the sessions.
  private let appearance: FileAppearance?
  private let hasShownConnection = Atomic<Bool>(false)
  private let writes = Atomic<UInt64>(1)
  /// Looks for other processes until the first write: it only reads.
  private let lookout: Lookout

  init(
    _ file: StoreFile, _ expected: ExpectedSchema, _ snapshots: SnapshotStore, _ log: CommitRecorder
  ) {
    self.file = file
    self.expected = expected
    self.snapshots = snapshots
    self.log = log
    appearance = FileAppearance(settled: file.url)
    lookout = Lookout(file.url, file.key)
  }

  /// Whether nothing has been committed since the file was opened, as far as its times tell.
  private var isUnchanged: Bool {
    appearance != nil && FileAppearance(settled: file.url) == appearance
  }

  func close() { lookout.close() }

  /// Notes that code which isn't the library's has the connection.
  func noteUse() {
    hasShownConnection.store(true, ordering: .relaxed)
    writes.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether code that isn't the library's has had the connection: GRDB's observers may be on it.
  var haveHadConnection: Bool { hasShownConnection.load(ordering: .relaxed) }

  /// A number that grows when rows may have been written by others than the sessions of the store.
  var count: UInt64 { writes.load(ordering: .relaxed) }

  /// Whether another process has committed since the last ``notice(_:)``.
  func haveCommitted(_ db: Database) throws -> Bool {
    try dataVersion(db) != lastDataVersion.withLock { $0 }
  }

  /// Advances the clock when another process has committed since the last look.
  ///
  /// `PRAGMA data_version` on the writing connection changes for the commits of others only.
  func notice(_ db: Database) throws {
    let version = try dataVersion(db)
    let last = lastDataVersion.withLock { $0 }
    guard last != version else { return }
    writes.wrappingAdd(1, ordering: .relaxed)
    // The first look counts as a change: another process may have written since the opening.
    if last == nil, try !mayBeNews(db) {
      lastDataVersion.withLock { $0 = version }
      return
    }
    db.clearSchemaCache()
    log.noteOtherCommit()
    try noticeCommit { try expected.check(db, at: file.url) }
    // Only now: later looks must see a commit that has changed the schema, too.
    lastDataVersion.withLock { $0 = version }
  }

  /// Whether another process may have committed since the file was opened, before the first write.
  private func mayBeNews(_ db: Database) throws -> Bool {
    if lookout.isOpen {
      return try lookout.seesChange(unless: isUnchanged, checking: expected.check)
    }
    guard isUnchanged else { return true }
    try expected.check(db, at: file.url)
    return false
  }

  /// The same without the writing connection, before the first write.
  func look() throws {
    switch try lookout.look(unless: isUnchanged, checking: expected.check) {
    case .nothing: break
    case .commit: try noticeCommit {}
    case .otherVersion(let error):
      log.receiver?.failed(error)
      // Sequences of the history go on: it has the migration, and what follows.
      snapshots.commits.send()
      throw error
    }
  }

  private func dataVersion(_ db: Database) throws -> Int64? {
    let statement = try db.cachedStatement(sql: "PRAGMA data_version")
    guard try statement.stepRaw() else { return nil }
    defer { statement.resetRaw() }
    return statement.int64(0)
  }

  /// Gives the state that another process has made a number.
  private func noticeCommit(checking check: () throws -> Void) throws {
    guard let receiver = log.receiver else {
      try snapshots.commit(check)
      return
    }
    do {
      try snapshots.commit(check) { snapshot in
        do {
          receiver.receive(Commit(snapshot: try snapshot.get(), changes: nil, details: .init()))
        } catch {
          receiver.missed(error)
        }
      }
    } catch {
      receiver.failed(RealmError(error, at: file.url))
      throw error
    }
  }
}
