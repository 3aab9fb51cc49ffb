package import Foundation
import GRDB
import Logging
package import StrataSchema
import Synchronization

/// The poller of the folder of a replica. It shows each newer publication that can be read, and
/// records why others are not shown.
///
/// A failure doesn't change what is shown. Only ``state(of:)`` reports the failure to readers.
/// Observations end if the publication has another schema version, because that is permanent.
package final class ReplicaLookout: Sendable {
  package var folder: ReplicaFolder { source.folder }
  /// The time whose publication is shown permanently; nil to show each newer one.
  package var fixedAt: Date? { source.fixedAt }
  private let source: Source
  private let schemaVersion: UInt64
  private let readers: Readers
  private let snapshots: SnapshotStore
  private let log: CommitRecorder
  private let logger: Logger?
  /// The state of polling. One thread polls at a time.
  private let looking: Mutex<Looking>
  private let problem = Mutex<Problem?>(nil)
  private let lastState = Mutex<(FileAppearance, FollowerState?)?>(nil)
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  private struct Looking: Sendable {
    /// The appearance of `current` when its publication was last shown, or permanently refused.
    var seen: FileAppearance?
    /// The name in the last warning.
    var warned: String?
    var isClosed = false
  }

  /// The reason why the newest publication isn't shown.
  private struct Problem: Error {
    var error: RealmError
    /// Whether the publication has another schema version.
    var isOtherVersion = false
  }

  /// The folder of publications, and the rule which of them can be shown.
  package struct Source: Sendable {
    var folder: ReplicaFolder
    var fixedAt: Date?
    /// Whether publications of newer schema versions than the program's may be shown.
    var opensNewerVersions: Bool
    var fits: @Sendable (FileState, RecordedFile, PublishedFile) throws -> Void

    /// - Parameters:
    ///   - fixedAt: The time whose publication is shown permanently; nil to show each newer one.
    ///   - opensNewerVersions: Whether publications of newer schema versions than the program's may
    ///     be shown.
    ///   - fits: Throws if the classes of a publication aren't the classes of the store.
    package init(
      folder: ReplicaFolder, fixedAt: Date?, opensNewerVersions: Bool,
      fits: @escaping @Sendable (FileState, RecordedFile, PublishedFile) throws -> Void
    ) {
      self.opensNewerVersions = opensNewerVersions
      self.folder = folder
      self.fixedAt = fixedAt
      self.fits = fits
    }
  }

  package init(
    _ source: Source, schemaVersion: UInt64, _ readers: Readers, _ snapshots: SnapshotStore,
    _ log: CommitRecorder, logger: Logger?
  ) {
    self.source = source
    self.schemaVersion = schemaVersion
    self.readers = readers
    self.snapshots = snapshots
    self.log = log
    self.logger = logger
    looking = Mutex(Looking())
  }

  /// Starts polling five times a second.
  package func watch() {
    guard fixedAt == nil else { return }
    let look: @Sendable () -> Void = { [weak self] in self?.look() }
    readers.checkForNewerFile.withLock { $0 = look }
    timer.withLock { $0 = LookTimer.start(look) }
  }

  package func close() {
    timer.withLock { $0?.cancel() }
    readers.checkForNewerFile.withLock { $0 = nil }
    looking.withLock { $0.isClosed = true }
  }

  // MARK: Looking

  /// Checks the folder, and shows its newest publication if it isn't shown yet.
  ///
  /// - Returns: Whether another publication is shown now.
  @discardableResult
  package func look() -> Bool {
    guard fixedAt == nil else { return false }
    return looking.withLock { looking in
      guard !looking.isClosed else { return false }
      defer { reserve() }
      let appearance = FileAppearance(ofOnly: folder.current)
      if looking.seen == appearance {
        endObservations()
        return false
      }
      var name: String?
      do {
        guard let newest = try folder.currentName() else { throw folder.hasNone }
        name = "\(newest)"
        // The shown publication keeps its state, when another one is shown.
        if let shown = readers.publication { _ = state(of: shown) }
        let isOther = name != readers.publication?.name
        if isOther {
          let next = try folder.published(newest)
          // The follower records the state of a version a moment after publishing it. Until then
          // its lag is at most the lag of the previous version.
          next.record(sentAt: nil, checkedAt: readers.publication?.noted.checkedAt)
          try show(next)
        }
        looking.seen = appearance
        problem.withLock { $0 = nil }
        return isOther
      } catch let problem as Problem {
        // This is permanent.
        looking.seen = appearance
        record(problem, name, &looking)
      } catch {
        // The publication may become readable, so each poll tries again.
        record(Problem(error: RealmError(error, at: folder.url)), name, &looking)
      }
      endObservations()
      return false
    }
  }

  /// - Throws: A ``Problem`` for a readable publication that the program can't show.
  private func show(_ newest: PublishedFile) throws {
    let (connection, state, recorded) = try translatingErrors(at: newest.url) {
      let connection = try readers.openCandidate(newest)
      return try connection.queue.unsafeRead { db in
        let state = try FileState.read(db, at: newest.url)
        let isNewer = state.version.map { $0 > schemaVersion } ?? false
        let recorded =
          isNewer
          ? try VersionTable.recorded(db, at: newest.url) : RecordedFile([], defaults: [:])
        return (connection, state, recorded)
      }
    }
    guard let version = state.version else {
      throw RealmError(
        .invalidDatabase, ErrorText.notInitialized(newest.url.path), fileURL: newest.url)
    }
    guard version == schemaVersion || source.opensNewerVersions && version > schemaVersion else {
      let error = VersionTable.changed(from: schemaVersion, to: version, at: newest.url)
      throw Problem(error: error, isOtherVersion: true)
    }
    do {
      try source.fits(state, recorded, newest)
    } catch {
      throw Problem(
        error: RealmError(error, at: newest.url), isOtherVersion: version != schemaVersion)
    }
    // Replaced connections are closed outside of the lock under which versions change.
    var closed: [FileConnection] = []
    try snapshots.commit({ closed = readers.exchange(with: connection) }, for: log.receiver)
    withExtendedLifetime(closed) {}
  }

  /// Records why the newest publication isn't shown. Warns once for each name.
  private func record(_ found: Problem, _ name: String?, _ looking: inout Looking) {
    problem.withLock { $0 = found }
    let name = name ?? "current"
    guard looking.warned != name else { return }
    looking.warned = name
    logger?.warning(
      "The version '\(name)' of a replica isn't shown: \(found.error.loggedMessage)",
      metadata: ["path": "\(folder.path)"])
  }

  /// Ends observations and readers of the history, once, because another schema version is
  /// permanent.
  private func endObservations() {
    guard let error = otherVersion else { return }
    log.receiver?.failed(error)
    snapshots.commits.send()
  }

  /// The error of a newest publication that has another schema version.
  package var otherVersion: RealmError? {
    problem.withLock { $0 }.flatMap { $0.isOtherVersion ? $0.error : nil }
  }

  private func reserve() {
    do {
      try readers.reserve(isReplaced: problem.withLock { $0 != nil })
    } catch {
      // A reader that needs a connection throws the same error.
      logger?.debug("A connection to a replica can't be opened: \(error)")
    }
  }

  // MARK: What is known

  /// Returns the state of the replica for a realm that shows one of its publications.
  package func state(of shown: PublishedFile) -> ReplicaState {
    let follower = followerState()
    if let follower, follower.position == shown.name {
      shown.record(sentAt: follower.sentAt, checkedAt: follower.checkedAt)
    }
    let noted = shown.noted
    let problem =
      problem.withLock { $0?.error }
      ?? follower?.error(at: folder.url)
    return ReplicaState(
      version: shown.name, publishedAt: shown.publishedAt, sentAt: noted.sentAt,
      checkedAt: noted.checkedAt, problem: problem)
  }

  /// Returns the state that the writer of the folder has stored. Reads it again after a change.
  private func followerState() -> FollowerState? {
    lastState.withLock { last in
      let appearance = FileAppearance(ofOnly: folder.stateFile)
      if let last, last.0 == appearance { return last.1 }
      let state = folder.state()
      last = (appearance, state)
      return state
    }
  }
}
