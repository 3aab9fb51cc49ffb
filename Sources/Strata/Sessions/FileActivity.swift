import Dispatch
import Foundation
import GRDB
import Logging
import StrataStorage
import Synchronization

/// A reporter for the observers of an open file: reports queries, and each second the file's
/// status.
///
/// The reporter doesn't retain the store: a timer or a query on another thread must not keep the
/// file open.
final class FileActivity: Sendable {
  let observers: ActivityObservers
  private let file: StoreFile
  private let readers: Readers
  private let snapshots: SnapshotStore
  private let writer: WriteConnection
  private let replica: ReplicaLookout?
  private let logger: Logger?
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  init(
    _ observers: ActivityObservers, _ file: StoreFile, _ readers: Readers,
    _ snapshots: SnapshotStore, _ writer: WriteConnection, _ replica: ReplicaLookout?,
    _ logger: Logger?
  ) {
    self.observers = observers
    self.file = file
    self.readers = readers
    self.snapshots = snapshots
    self.writer = writer
    self.replica = replica
    self.logger = logger
  }

  /// Samples the file each second, until ``close()``.
  func start() {
    timer.withLock {
      $0 = LookTimer.start(every: 1) { [weak self] in
        guard let self else { return }
        observers.sample(status())
      }
    }
  }

  func close() { timer.withLock { $0?.cancel() } }

  // MARK: Queries

  /// Reports a query that has ended.
  ///
  /// - Parameter inTransaction: Whether the current transaction ran the query.
  func recordQuery(
    _ sql: String, took duration: Duration, rows: Int? = nil, error: (any Error)? = nil,
    inTransaction: Bool = false
  ) {
    observers.recordQuery(
      // An observer that keeps a statement must not keep the file open.
      RealmStatement(sql: sql) { [weak readers] sql in Self.plan(of: sql, readers) },
      took: duration, rows: rows, error: error.map { RealmError($0, at: file.url) },
      within: inTransaction ? writer.activity?.current : nil)
  }

  private static func plan(of sql: String, _ readers: Readers?) -> [String] {
    guard let readers else { return ["The plan can't be had: the file is closed."] }
    do {
      return try readers.read { db in
        // GRDB's fetch methods want a value for each `?`. The plan doesn't depend on the values.
        let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        var lines: [String] = []
        while try statement.stepRaw() {
          if case .text(let line) = statement.storedValue(3) { lines.append(line) }
        }
        return lines
      }
    } catch {
      return ["The plan can't be had: \(error)"]
    }
  }

  // MARK: Status

  private func status() -> RealmFileStatus {
    var status = RealmFileStatus(file: observers.file)
    let kept = snapshots.kept
    status.versionsKept = kept.count
    if let oldest = kept.map(\.began).min() { status.oldestVersionAge = .now - oldest }
    status.writersWaiting = writer.queue.waitingCount
    let publication = readers.publication
    let path = publication?.url.path ?? file.path
    status.fileBytes = FileNames.bytes(ofFileAt: path)
    status.walBytes = FileNames.bytes(ofFileAt: path + "-wal")
    if let replica, let publication {
      let state = replica.state(of: publication)
      status.replicaLag = state.lag()
      status.hasReplicaProblem = state.problem != nil
    }
    do {
      status.behind = try readers.read { db in
        guard try HistoryTable.settingsIfKept(db) != nil else { return [:] }
        let consumers = try HistoryConsumers.all(db)
        return Dictionary(consumers.map { ($0.name, $0.behind) }) { first, _ in first }
      }
    } catch {
      logger?.debug("The consumers of the history can't be read: \(error)")
    }
    return status
  }
}

extension Session {
  /// Runs a query, and reports a slow one to the observers of the file.
  ///
  /// - Parameter count: The number of rows in the result, if it isn't a single value.
  @inline(__always)
  func measuring<Result>(
    _ sql: @autoclosure () -> String, rows count: (Result) -> Int? = { _ in nil },
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard let activity = store.activity else { return try body() }
    let start = ContinuousClock.now
    do {
      let result = try body()
      activity.recordQuery(
        sql(), took: .now - start, rows: count(result), inTransaction: isInWriteTransaction)
      return result
    } catch {
      activity.recordQuery(
        sql(), took: .now - start, error: error, inTransaction: isInWriteTransaction)
      throw error
    }
  }
}
