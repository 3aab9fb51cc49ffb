package import Foundation
import Strata
import StrataSchema
import StrataStorage
import Synchronization

/// The file that a studio shows, with its readers, its watcher and its editor.
package final class StudioFile: Sendable {
  private let shown: Mutex<ShownFile>
  package let isWritable: Bool
  /// The reader for visible data.
  let reader: FileReader
  /// The reader for operations that may take seconds.
  let slowReader: FileReader
  let lists: IdentityLists
  package let watch: FileWatch
  /// The editor; nil for a read-only file.
  package let editor: FileEditor?
  /// The settings of the page for the file.
  let settings: SettingsFile
  /// The folder for files that the page uploads; nil for a read-only file.
  let uploads: PrivateFolder?
  /// The running task that copies a changed file of Realm; all callers share it.
  private let copying = Mutex<Task<Void, any Error>?>(nil)

  /// The database that is shown.
  package struct ShownFile: Sendable {
    package fileprivate(set) var url: URL
    fileprivate(set) var configuration: Realm.Configuration
    /// The copy of a file of Realm; nil for a file of Strata.
    fileprivate var copy: RealmCopy?

    /// The file of Realm whose copy is shown; nil for a file of Strata.
    package var origin: RealmOrigin? { copy?.origin }
  }

  /// Opens a file of Strata, or the copy of a file of Realm.
  ///
  /// - Parameters:
  ///   - path: The path that the user gave.
  ///   - key: The 64 bytes of the key of an encrypted file of Strata.
  ///   - makesBackup: Whether the file is copied before its first change.
  ///   - copy: The copy of a file of Realm, which is read-only.
  ///   - settings: The folder for the page's settings; nil to store none.
  package init(
    _ path: String, key: Data?, isWritable: Bool, makesBackup: Bool = true, copy: RealmCopy? = nil,
    settings: URL? = nil
  ) async throws {
    self.isWritable = isWritable
    let url = copy?.url ?? StoreFile.behindLinks(URL(fileURLWithPath: path))
    var configuration = Realm.Configuration(fileURL: url, readOnly: !isWritable)
    configuration.encryptionKey = key
    configuration.dynamicClasses = .all
    shown = Mutex(ShownFile(url: url, configuration: configuration, copy: copy))
    let changed = copy?.origin.changed ?? ChangedValues()
    reader = FileReader(configuration, name: "reader", changed: changed)
    slowReader = FileReader(configuration, name: "slow", changed: changed)
    lists = IdentityLists(slowReader)
    self.settings = SettingsFile(of: URL(fileURLWithPath: path), in: settings)
    _ = try await reader.open()
    let watch = FileWatch(
      url, key: key, schemaVersion: try schemaVersionAtURL(url, encryptionKey: key),
      origin: copy?.origin)
    self.watch = watch
    editor =
      isWritable
      ? FileEditor(configuration, makesBackup: makesBackup) { await watch.send($0) } : nil
    uploads = isWritable ? try PrivateFolder() : nil
    await watch.begin { [reader, slowReader, lists, editor, configuration] in
      for _ in 0..<Self.maxTries {
        await lists.removeAll()
        await reader.close()
        await slowReader.close()
        await editor?.letGo()
        // A request in between may have opened the file again with another reader.
        if !Realm.isOpen(configuration) { return }
      }
    }
  }

  @inline(never) private var nowShown: ShownFile { shown.withLock { $0 } }

  /// Runs a closure with the current database. A copy exists until the closure ends, even if
  /// another copy replaces it.
  package func withShown<Result>(
    _ body: (ShownFile) async throws -> Result
  ) async rethrows -> Result {
    let shown = nowShown
    defer { withExtendedLifetime(shown) {} }
    return try await body(shown)
  }

  // MARK: Newer states

  /// Reopens the file with its current schema, if another program has migrated it.
  ///
  /// - Throws: ``RequestFailure`` with code `file` while a request keeps the old schema in use, and
  ///   the errors of opening a realm.
  package func reload() async throws {
    guard await watch.acceptSchema() else { return }
    let shown = nowShown
    for _ in 0..<Self.maxTries {
      // The realms of a process share a file's schema, so all must close before one reopens it. A
      // request of another tab may open the file in between.
      await lists.removeAll()
      await reader.close()
      await slowReader.close()
      await editor?.close()
      let present = try Realm.inspection(
        at: shown.url, encryptionKey: shown.configuration.encryptionKey, countingObjects: false)
      if try await reader.open().schema == present.schema { return }
    }
    throw RequestFailure(
      .unavailable, "file",
      "The file is still read as it was before its migration. Load the page again in a moment.")
  }

  private static let maxTries = 20

  /// Copies the file of Realm again, if it has changed since the last copy.
  ///
  /// Until then, requests are answered from the old copy, which is deleted after the last of them.
  /// Concurrent callers share one new copy. The pages receive its progress and its completion.
  /// - Throws: ``RequestFailure`` with code `file` if the file can't be read. The old copy stays.
  package func copyAgain() async throws {
    let task = copyingTask { copy in
      Task {
        defer { endCopying() }
        try await show(try await another(copy))
      }
    }
    try await task?.value
  }

  /// The running copy task, or a new one; nil if the file hasn't changed.
  @inline(never) private func copyingTask(
    _ begin: (RealmCopy) -> Task<Void, any Error>
  ) -> Task<Void, any Error>? {
    copying.withLock { running in
      if running == nil, let copy = nowShown.copy, copy.origin.change == .rewritten {
        running = begin(copy)
      }
      return running
    }
  }

  @inline(never) private var runningCopy: Task<Void, any Error>? { copying.withLock { $0 } }

  @inline(never) private func endCopying() { copying.withLock { $0 = nil } }

  private func another(_ copy: RealmCopy) async throws -> RealmCopy {
    let (parts, continuation) = AsyncStream<Double>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    async let made = withCheckedThrowingContinuation { result in
      DispatchQueue.global().async {
        result.resume(
          with: Result {
            defer { continuation.finish() }
            return try copy.copyAgain { continuation.yield($0) }
          })
      }
    }
    var told = 0.0
    for await part in parts where part - told >= 0.01 && part < 1 {
      told = part
      await watch.send(.progress(what: Self.copyingTitle, fraction: part))
    }
    await watch.send(.progress(what: Self.copyingTitle, fraction: 1))
    do {
      return try await made
    } catch {
      throw RequestFailure(
        .unavailable, "file",
        "The file can't be read again, so the page shows it as it was. \(error)")
    }
  }

  private static let copyingTitle = "Reading the file of Realm"

  private func show(_ copy: RealmCopy) async throws {
    // Requests read the old copy until the readers have switched.
    let before = nowShown
    defer { withExtendedLifetime(before) {} }
    let configuration = turn(to: copy)
    await reader.turn(to: configuration, changed: copy.origin.changed)
    await slowReader.turn(to: configuration, changed: copy.origin.changed)
    try await watch.switchCopy(to: copy)
    await lists.removeAll()
  }

  /// - Returns: The configuration of the new copy.
  @inline(never) private func turn(to copy: RealmCopy) -> Realm.Configuration {
    shown.withLock { shown in
      shown.url = copy.url
      shown.configuration.fileURL = copy.url
      shown.copy = copy
      return shown.configuration
    }
  }

  /// Releases the copy of a file of Realm.
  @inline(never) private func dropCopy() { shown.withLock { $0.copy = nil } }

  /// Closes the file, and informs the pages.
  ///
  /// - Throws: An error if the folder of uploads can't be deleted.
  package func close(_ reason: String) async throws {
    await watch.finish(reason)
    _ = await runningCopy?.result
    await reader.close()
    await slowReader.close()
    await editor?.close()
    dropCopy()
    try uploads?.remove()
  }
}
