package import Foundation
package import GRDB
package import StrataSchema
import Synchronization

/// The schema that a store was opened with, which its file must keep.
///
/// Another program may migrate the file, create it again with other classes at the same version
/// (`deleteRealmIfMigrationNeeded`), or restore a copy from before a class was added. Added classes
/// and indexes are no obstacle. A newer version is an obstacle unless the program opens newer
/// versions, and ``Compatibility`` allows this version.
package final class ExpectedSchema: Sendable {
  /// The version of the program.
  let version: UInt64
  /// The version of the file at the opening, whose names the schema has.
  private let openedAt: UInt64
  private let schema: Schema
  /// The classes of the program, with its own names.
  private let program: Schema
  private let isReadOnly: Bool
  /// The names of the classes that were missing from a read-only file.
  private let missing: Set<String>
  /// Whether the file may have a newer version than the program.
  private let opensNewerVersions: Bool
  /// The last compatible schema of the file.
  private let fitting: Mutex<Fitting>
  /// Whether the file has a newer version than the program.
  private let isNewer: Atomic<Bool>

  /// The version of a file, the schema as text, and the limits of a newer version.
  private typealias Known = (version: UInt64, schema: String, limits: [UInt64?])

  private struct Fitting: Sendable {
    /// The state of the last check; nil before the first one.
    var known: Known?
    /// The reasons why objects can't be added to a newer file, by class.
    var insertions: [String: [String]] = [:]
    /// The classes of a newer file that have properties which the program doesn't know.
    var extended: Set<String> = []

    init(known: Known?, _ compatibility: Compatibility?) {
      self.known = known
      guard let compatibility else { return }
      insertions = compatibility.insertions.mapValues { $0.map(\.text) }
      extended = compatibility.extended
    }
  }

  /// - Parameter compatibility: The decision at the opening; nil for a file of the program's
  ///   version.
  package init(
    _ version: UInt64, openedAt: UInt64, _ schema: Schema, program: Schema, readOnly: Bool,
    missing: Set<String>, opensNewerVersions: Bool, _ compatibility: Compatibility?
  ) {
    self.program = program
    self.version = version
    self.openedAt = openedAt
    self.schema = schema
    isReadOnly = readOnly
    self.missing = missing
    self.opensNewerVersions = opensNewerVersions
    fitting = Mutex(Fitting(known: nil, compatibility))
    isNewer = Atomic(compatibility != nil)
  }

  /// - Throws: ``RealmError`` with code `fail` if the file has another version or incompatible
  ///   classes, and with code `newerVersion` if the program opens newer versions, but can't use
  ///   this one.
  package func check(_ db: Database, at url: URL) throws {
    let current = try VersionTable.current(db, at: url)
    if let current, opensNewerVersions, current.version > version, current.version >= openedAt {
      if isKnown((current.version, current.schema, try VersionTable.limits(db))) { return }
      return try db.readingOneVersion { try checkNewer(db, at: url) }
    }
    guard let current, current.version == openedAt else {
      return try VersionTable.check(db, isAt: openedAt, at: url)
    }
    let known: Known = (current.version, current.schema, [])
    guard !isKnown(known) else { return }
    let found = try VersionTable.decode(current.schema, at: url)
    let obstacles = SchemaDiff.changes(from: found, to: schema).filter(isObstacle)
    guard obstacles.isEmpty else {
      throw RealmError(
        .fail,
        "Unsupported schema changes were made by another client or process: the file has other "
          + "classes now than when it was opened, at the same schema version \(version). Close the "
          + "realm and open it again. What would have to be changed in the file:"
          + obstacles.map { "\n- \($0)" }.joined(), fileURL: url)
    }
    fitting.withLock {
      if openedAt == version { $0 = Fitting(known: known, nil) } else { $0.known = known }
    }
    isNewer.store(openedAt != version, ordering: .releasing)
  }

  private func isKnown(_ current: Known) -> Bool {
    fitting.withLock { $0.known.map { $0 == current } ?? false }
  }

  private func isObstacle(_ change: SchemaChange) -> Bool {
    if case .addClass(let object) = change { return !missing.contains(object.className) }
    return isReadOnly ? change.isRefusedInReadOnlyMode : change.needsMigration
  }

  // MARK: Newer versions

  private func checkNewer(_ db: Database, at url: URL) throws {
    guard let current = try VersionTable.current(db, at: url) else { return }
    let limits = try VersionTable.limits(db)
    let file = try VersionTable.recorded(db, at: url)
    let compatibility = Compatibility.of(program: program, version: version, with: file)
    try compatibility.check(readOnly: isReadOnly, version, of: current.version, at: url)
    // Classes that only the file has are shown as they were at the opening.
    let shown = Compatibility.of(
      program: schema, version: version, namedAt: openedAt, with: file)
    try shown.checkRunning(readOnly: isReadOnly, version, of: current.version, at: url)
    fitting.withLock {
      $0 = Fitting(
        known: (current.version, current.schema, limits), compatibility.including(shown))
    }
    isNewer.store(true, ordering: .releasing)
  }

  package func checkInsertion(
    _ className: String, at url: URL
  ) throws(RealmError) {
    guard isNewer.load(ordering: .acquiring) else { return }
    let (version, reasons) = fitting.withLock { fitting in
      (fitting.known?.version ?? openedAt, fitting.insertions[className] ?? [])
    }
    guard !reasons.isEmpty else { return }
    throw RealmError(
      .newerVersion,
      "An object of '\(className)' can't be added by this program of version \(self.version): the file "
        + "is at schema version \(version)." + reasons.map { "\n- \($0)" }.joined()
        + "\nAdd it with a release of version \(version), or let that release give the property a "
        + "default that is the same for all objects.", fileURL: url)
  }

  /// The version of the file if it is newer than the program's.
  package var newerVersion: UInt64? {
    guard isNewer.load(ordering: .acquiring) else { return nil }
    return fitting.withLock { $0.known?.version } ?? openedAt
  }

  /// The classes of a newer file that have properties which the program doesn't know.
  package var extended: Set<String> {
    guard isNewer.load(ordering: .acquiring) else { return [] }
    return fitting.withLock { $0.extended }
  }
}

extension Compatibility {
  /// - Throws: ``RealmError`` with code `newerVersion`, listing all obstacles at once.
  package func check(
    readOnly: Bool, _ version: UInt64, of stored: UInt64, at url: URL
  ) throws(RealmError) {
    let obstacles = obstacles(to: readOnly ? .reading : .changing)
    guard !obstacles.isEmpty else { return }
    let canRead = !readOnly && self.obstacles(to: .reading).isEmpty
    throw RealmError(
      .newerVersion,
      "Realm at path '\(url.path)' is at schema version \(stored), and this program of version "
        + "\(version) can't \(canRead ? "write to" : "open") it:"
        + obstacles.map { "\n- \($0.text)" }.joined() + "\nStart a release of version \(stored)."
        + (canRead ? " Or open the file with `readOnly`." : ""), fileURL: url)
  }

  /// Checks the decision about a file that the program has open already.
  ///
  /// - Throws: As ``check(readOnly:_:of:at:)`` does, and if names have changed since the opening.
  package func checkRunning(
    readOnly: Bool, _ version: UInt64, of stored: UInt64, at url: URL
  ) throws(RealmError) {
    try check(readOnly: readOnly, version, of: stored, at: url)
    guard !names.isEmpty else { return }
    throw RealmError(
      .newerVersion,
      "Realm at path '\(url.path)' is at schema version \(stored) now, in which names have changed since "
        + "this program of version \(version) opened it:"
        + names.sentences.map { "\n- \($0)" }.joined()
        + "\nClose the realm and open it again.", fileURL: url)
  }
}
