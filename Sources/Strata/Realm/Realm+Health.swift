import Dispatch
import Foundation
public import StrataStorage

extension Realm {
  /// Checks whether an open file can be read and written now; nil if the file has no problem.
  ///
  /// The check begins and rolls back a transaction on a queue of the library. It also checks the
  /// schema version, the free space of the volume and the length of the WAL. Use it for the
  /// readiness check of a server; a liveness check should not depend on a file. The version of
  /// SQLite isn't checked: log ``Realm/sqliteLibrary`` at the start of the program.
  ///
  /// ```swift
  /// if let problem = await Realm.health(of: configuration) {
  ///   return Response(status: .serviceUnavailable, body: "\(problem)")
  /// }
  /// ```
  /// - Parameters:
  ///   - configuration: The configuration, of which only the file is used.
  ///   - patience: The longest time that other writers may take.
  ///   - longestLag: The longest lag of a replica, where the lag is known.
  public static func health(
    of configuration: Configuration = .current, within patience: Duration = .seconds(1),
    longestLag: Duration = .seconds(30)
  ) async -> HealthProblem? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          returning: problem(of: configuration, within: patience, longestLag: longestLag))
      }
    }
  }

  /// Waits until a file is closed in this process: until its realms are released, their
  /// transactions have ended, and the WAL is checkpointed. Meanwhile no realm of the file can be
  /// opened.
  ///
  /// ```swift
  /// try await server.shutdown()
  /// try await Realm.close(configuration)
  /// ```
  /// A program that ends without calling this method loses nothing: the next process that opens the
  /// file checkpoints the WAL.
  /// - Throws: ``Realm/Error`` with code `alreadyOpen` after the time limit, with the threads,
  ///   queues and actors that still hold the file; or `CancellationError`. The file can be opened
  ///   again after an error, and after this method returns.
  public static func close(
    _ configuration: Configuration = .current, within patience: Duration = .seconds(10)
  ) async throws {
    let resolved = try ResolvedConfiguration(configuration)
    guard let holders = try await StoreRegistry.shared.close(resolved, within: patience) else {
      return
    }
    throw stillOpen(resolved, holders)
  }

  private static func stillOpen(
    _ configuration: ResolvedConfiguration, _ holders: String
  ) -> RealmError {
    var url: URL?
    if case .file(let file) = configuration.location { url = file }
    return RealmError(
      .alreadyOpen,
      "Realm at path '\(configuration.name)' can't be closed: it is still held by \(holders). Release "
        + "its realms, results and tokens first.", fileURL: url)
  }

  /// The state of the replica that this realm shows; nil for other realms.
  ///
  /// ```swift
  /// if let lag = realm.replicaState?.lag(), lag > .seconds(30) { health.report("\(lag) behind") }
  /// ```
  /// This property may be read often and on any thread: the read accesses only a small file. For a
  /// frozen realm, the value is the state of the realm's own version.
  public var replicaState: ReplicaState? {
    let store = session.store
    guard let lookout = store.replica,
      let shown = session.view.snapshot?.publication ?? store.readers.publication
    else { return nil }
    return lookout.state(of: shown)
  }

  /// The free space below which large writes would fail.
  private static let leastBytes: UInt64 = 16 << 20
  private static let longestWAL = 512 << 20

  private static func problem(
    of configuration: Configuration, within patience: Duration, longestLag: Duration
  ) -> HealthProblem? {
    do throws(RealmError) {
      let location = try ResolvedConfiguration(configuration).location
      guard let store = StoreRegistry.shared.openStore(location) else { return .notOpen }
      return try problem(of: store, within: patience) ?? lag(of: store, longestLag)
    } catch {
      return .cannotRead(error)
    }
  }

  private static func lag(of store: Store, _ longest: Duration) -> HealthProblem? {
    guard let replica = store.replica, let shown = store.readers.publication else { return nil }
    let state = replica.state(of: shown)
    if let problem = state.problem {
      return problem.code == .otherPrimary ? .otherPrimary(problem) : .cannotRead(problem)
    }
    return state.lag().flatMap { $0 > longest ? .lag($0) : nil }
  }

  private static func problem(
    of store: Store, within patience: Duration
  ) throws(RealmError) -> HealthProblem? {
    let probe: WriteProbe =
      store.settings.isReadOnly
      ? .ready(
        version: try store.read { try VersionTable.current($0, at: store.file.url)?.version })
      : try store.writer.probe(until: .now + patience)
    switch probe {
    case .busy: return .writerBusy(waited: patience)
    case .ready(let version) where try !store.fits(version):
      return .otherSchemaVersion(version)
    case .ready: break
    }
    let folder = store.file.url.deletingLastPathComponent()
    if !store.settings.isReadOnly, let free = FileRoom.freeBytes(at: folder), free < leastBytes {
      return .noSpace(bytes: free)
    }
    let wal = store.snapshots.wal.bytes
    return wal > longestWAL ? .walTooLong(bytes: wal) : nil
  }
}

/// A reason why a file can't be read and written now: see `Realm.health(of:within:)`.
public enum HealthProblem: Sendable {
  /// No realm of the file is open in this process.
  case notOpen
  /// Other writers, in this process or another one, have been writing for the whole time.
  case writerBusy(waited: Duration)
  /// Another process has migrated the file to another schema version. Restart this program, or
  /// replace it with its next version.
  case otherSchemaVersion(UInt64?)
  /// The volume has only the given number of bytes left.
  case noSpace(bytes: UInt64)
  /// The WAL has the given length, because something keeps a version of the file
  /// (``Realm/activeVersions``).
  case walTooLong(bytes: Int)
  /// The replica is behind its source by the given time.
  case lag(Duration)
  /// The source of the replica is a former primary, which another one has replaced: see
  /// `strata promote`. The replica keeps its version.
  case otherPrimary(RealmError)
  /// The file can't be read or written, or the newest version of a replica can't be shown.
  case cannotRead(RealmError)
}

extension HealthProblem: CustomStringConvertible {
  /// A sentence for a log, without values of objects.
  public var description: String {
    switch self {
    case .notOpen: "The file is not open."
    case .writerBusy(let waited):
      "Others were writing for \(waited.milliseconds) ms."
    case .otherSchemaVersion(let version):
      "Another process has brought the file to schema version \(version.map { "\($0)" } ?? "none")."
    case .noSpace(let bytes): "The volume of the file has \(bytes) bytes left."
    case .walTooLong(let bytes):
      "The WAL of the file has \(bytes >> 20) MB: something keeps a version of the file."
    case .lag(let lag): "The replica is \(lag.components.seconds) s behind."
    case .otherPrimary(let error), .cannotRead(let error): error.loggedMessage
    }
  }
}
