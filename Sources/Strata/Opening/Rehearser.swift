import Foundation
import StrataStorage
import Synchronization

/// A rehearsal of an opening, on a copy in a temporary folder.
struct Rehearser {
  var configuration: RealmConfiguration
  let file: URL
  let folder: TemporaryFolder

  /// Copies the file, opens the copy, closes and checks it.
  ///
  /// - Throws: The errors of copying and opening. An error of opening names the file instead of the
  ///   copy.
  func run() throws -> MigrationRehearsal {
    let copy = folder.url.appendingPathComponent(file.lastPathComponent)
    let resolved = try ResolvedConfiguration(configuration)
    try FileBackup.copy(file, to: copy, resolved.key, resolved.cancellation, progress: nil)
    do {
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
    let resolved = try ResolvedConfiguration(configuration)
    let forecast = try Forecaster.forecast(for: resolved)
    let bytesBefore = FileNames.bytes(ofFileAt: copy.path)
    let (duration, lastWAL) = try openAndClose(resolved, wal)
    let (reports, walBytes) = opened.withLock { $0 }
    return MigrationRehearsal(
      forecast: forecast, reports: reports, duration: duration, bytesBefore: bytesBefore,
      bytes: FileNames.bytes(ofFileAt: copy.path), walBytes: max(walBytes, lastWAL),
      problems: try FileCheck.problems(
        of: copy, resolved.key, isReadable: Property.holds, resolved.cancellation))
  }

  /// Returns the time of the opening, and the size of the WAL after it. Closes the file.
  private func openAndClose(
    _ configuration: ResolvedConfiguration, _ wal: String
  ) throws -> (duration: Duration, walBytes: Int64) {
    let start = ContinuousClock.now
    let store = try StoreOpener(configuration).open()
    return withExtendedLifetime(store) {
      (ContinuousClock.now - start, FileNames.bytes(ofFileAt: wal))
    }
  }
}
