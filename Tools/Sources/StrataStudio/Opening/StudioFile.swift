package import Foundation
import Strata
import StrataSchema
import StrataStorage
import Synchronization

/// The file that a studio shows: who reads it, who watches it, and who changes it.
package final class StudioFile: Sendable {
  private let shown: Mutex<ShownFile>
  package let isWritable: Bool
  /// For what is visible.
  let reader: FileReader
  /// For what may take seconds.
  let slowReader: FileReader
  let lists: IdentityLists
  package let watch: FileWatch
  /// Nil for a file that is only read.
  package let editor: FileEditor?
  /// The settings of the page for the file.
  let settings: SettingsFile
  /// For what the page sends as a file; nil for a file that is only read.
  let uploads: PrivateFolder?
  /// The copying of a file of Realm that has changed, for all who ask for it meanwhile.
  private let copying = Mutex<Task<Void, any Error>?>(nil)

  /// The database that is shown.
  package struct ShownFile: Sendable {
    package fileprivate(set) var url: URL
    fileprivate(set) var configuration: Realm.Configuration
    /// Nil for a file of Strata.
    fileprivate var copy: RealmCopy?

    /// The file of Realm of which a copy is shown; nil for a file of Strata.
    package var origin: RealmOrigin? { copy?.origin }
  }

  /// Opens a file of Strata, or the copy of one of Realm.
  ///
  /// - Parameters:
  ///   - path: As the user wrote it.
  ///   - key: The 64 bytes of an encrypted file of Strata.
  ///   - makesBackup: Whether the file is copied before its first change.
  ///   - copy: What is shown of a file of Realm, which is only read.
  ///   - settings: The folder for what the page remembers; nil for none.
  /// - Throws: What opening a realm throws.
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
      ? FileEditor(configuration, makesBackup: makesBackup) { await watch.tell($0) } : nil
    uploads = isWritable ? try PrivateFolder() : nil
    await watch.begin { [reader, slowReader, lists, editor, configuration] in
      for _ in 0..<Self.mostTries {
        await lists.removeAll()
        await reader.close()
        await slowReader.close()
        await editor?.letGo()
        // A question that came in between may have taken the connections of another reader.
        if !Realm.isOpen(configuration) { return }
      }
    }
  }

  @inline(never) private var nowShown: ShownFile { shown.withLock { $0 } }

  /// Runs a closure with the database that is shown now. A copy is there until the end, also when
  /// another one takes its place.
  package func withShown<Result>(
    _ body: (ShownFile) async throws -> Result
  ) async rethrows -> Result {
    let shown = nowShown
    defer { withExtendedLifetime(shown) {} }
    return try await body(shown)
  }

  // MARK: Newer states

  /// Opens the file with the classes that it has now, if another program has migrated it.
  ///
  /// - Throws: ``RequestFailure`` with code `file` while a question holds the file as it was, and
  ///   what opening a realm throws.
  package func reload() async throws {
    guard await watch.acceptSchema() else { return }
    let shown = nowShown
    for _ in 0..<Self.mostTries {
      // The realms of a process share the schema of a file: all let go before one opens it again.
      // A question of another tab may come in between.
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

  private static let mostTries = 20

  /// Shows the file of Realm as it is now, if it has changed since it was copied.
  ///
  /// Questions are answered from the copy before meanwhile, which goes when all have their
  /// answers. The new one is made once for all who ask, and the pages hear of its progress and of
  /// its end.
  /// - Throws: ``RequestFailure`` with code `file` when the file can't be read: the copy stays.
  package func copyAgain() async throws {
    let task = copyingTask { copy in
      Task {
        defer { endCopying() }
        try await show(try await another(copy))
      }
    }
    try await task?.value
  }

  /// The copying that goes on, or one that begins now; nil where nothing has changed.
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
      await watch.tell(.progress(what: Self.copyingTitle, fraction: part))
    }
    await watch.tell(.progress(what: Self.copyingTitle, fraction: 1))
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
    // Questions read it until the readers have turned.
    let before = nowShown
    defer { withExtendedLifetime(before) {} }
    let configuration = turn(to: copy)
    await reader.turn(to: configuration, changed: copy.origin.changed)
    await slowReader.turn(to: configuration, changed: copy.origin.changed)
    try await watch.turn(to: copy)
    await lists.removeAll()
  }

  /// - Returns: The configuration of what is shown from now on.
  @inline(never) private func turn(to copy: RealmCopy) -> Realm.Configuration {
    shown.withLock { shown in
      shown.url = copy.url
      shown.configuration.fileURL = copy.url
      shown.copy = copy
      return shown.configuration
    }
  }

  /// Lets the copy of a file of Realm go.
  @inline(never) private func dropCopy() { shown.withLock { $0.copy = nil } }

  /// Lets go of the file, and tells the pages.
  ///
  /// - Throws: When the folder of uploads can't be removed.
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
