import Foundation
public import StrataStorage
import Synchronization

/// The result of opening a copy of a file: see ``Realm/rehearseMigration(for:of:in:)``.
public struct MigrationRehearsal: Sendable {
  /// The forecast for the file, as of the moment of the copy.
  public let forecast: MigrationForecast
  /// The migrations of the copy, in order. A plan whose stages commit on their own has several.
  public let reports: [MigrationReport]
  /// The time from the beginning of the opening until the file could be used. Copying isn't
  /// included.
  public let duration: Duration
  /// The size of the file before, in bytes.
  public let bytesBefore: Int64
  /// The size of the file afterwards, in bytes.
  public let bytes: Int64
  /// The greatest size of the WAL, in bytes.
  public let walBytes: Int64
  /// Problems of the migrated copy. Problems that the file has now are in it, unless the migration
  /// mends them.
  public let problems: [FileProblem]

  /// The space that the migration needs beside the file, in bytes, without a backup and without
  /// SQLite's temporary files: the growth of the file and the greatest WAL.
  public var neededBytes: Int64 { max(0, bytes - bytesBefore) + walBytes }
}

extension MigrationRehearsal: CustomStringConvertible {
  /// The reports, the time and the space, the problems, and what older programs may do with the
  /// file.
  public var description: String {
    func size(_ bytes: Int64) -> String { MigrationForecast.size(Int(clamping: bytes)) }
    var lines = reports.map(\.description)
    if reports.isEmpty { lines.append("Nothing was migrated.") }
    lines.append(
      "Opening took \(duration.milliseconds.grouped) ms. The file had \(size(bytesBefore)) and has "
        + "\(size(bytes)), the WAL had at most \(size(walBytes)).")
    lines.append(
      problems.isEmpty
        ? "The migrated file has no problems."
        : "The migrated file has \(problems.count.grouped) \(problems.count == 1 ? "problem" : "problems"):")
    lines += problems.prefix(Self.maxShownProblems).map { "  \($0)" }
    if problems.count > Self.maxShownProblems {
      lines.append("  and \((problems.count - Self.maxShownProblems).grouped) more")
    }
    return (lines + forecast.olderPrograms.map(\.description)).joined(separator: "\n")
  }

  private static let maxShownProblems = 20
}

extension Int64 {
  fileprivate var grouped: String { Int(self).grouped }
}

/// A rehearsal of an opening, on a copy in a temporary folder.
struct Rehearser {
  var configuration: RealmConfiguration
  let file: URL
  let folder: TemporaryFolder

  /// Copies the file, opens the copy, closes and checks it.
  ///
  /// - Throws: The errors of copying and opening. They name the file instead of the copy.
  func run() throws -> MigrationRehearsal {
    let copy = folder.url.appendingPathComponent(file.lastPathComponent)
    do {
      let resolved = try ResolvedConfiguration(configuration)
      try FileBackup.copy(file, to: copy, resolved.key, resolved.cancellation, progress: nil)
      return try rehearse(copy)
    } catch let error as RealmError {
      var error = error
      error.message = error.message.replacing(copy.path, with: file.path)
      if error.fileURL == copy { error.fileURL = file }
      throw error
    }
  }

  private func rehearse(_ copy: URL) throws -> MigrationRehearsal {
    let opened = Mutex((reports: [MigrationReport](), walBytes: Int64(0)))
    var configuration = configuration
    configuration.fileURL = copy
    configuration.replica = nil
    configuration.readOnly = false
    configuration.seedFilePath = nil
    configuration.convertsRealmFile = nil
    configuration.migrationBackup = nil
    configuration.observers = []
    let didMigrate = configuration.didMigrate
    let wal = copy.path + "-wal"
    configuration.didMigrate = { report in
      // The file of the WAL doesn't become shorter while the file is open.
      let bytes = FileNames.bytes(ofFileAt: wal)
      opened.withLock {
        $0.reports.append(report)
        $0.walBytes = max($0.walBytes, bytes)
      }
      didMigrate?(report)
    }
    let forecast = try Realm.migrationForecast(for: configuration)
    let bytesBefore = FileNames.bytes(ofFileAt: copy.path)
    let start = ContinuousClock.now
    let duration = try autoreleasepool {
      let store = try StoreOpener(ResolvedConfiguration(configuration)).open()
      return withExtendedLifetime(store) { ContinuousClock.now - start }
    }
    let (reports, walBytes) = opened.withLock { $0 }
    return MigrationRehearsal(
      forecast: forecast, reports: reports, duration: duration, bytesBefore: bytesBefore,
      bytes: FileNames.bytes(ofFileAt: copy.path), walBytes: walBytes,
      problems: try Realm.problems(for: configuration))
  }
}
