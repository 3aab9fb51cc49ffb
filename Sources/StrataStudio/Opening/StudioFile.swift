package import Foundation
import Strata
import StrataSchema

/// The file that a studio shows: who reads it, who watches it, and who changes it.
package final class StudioFile: Sendable {
  /// The path as the user wrote it.
  package let path: String
  private let url: URL
  let configuration: Realm.Configuration
  package let isWritable: Bool
  /// For what is visible.
  let reader: FileReader
  /// For what may take seconds.
  let slowReader: FileReader
  let lists: IdentityLists
  package let watch: FileWatch
  /// Nil for a file that is only read.
  package let editor: FileEditor?
  /// For what the page sends as a file; nil for a file that is only read.
  let uploads: PrivateFolder?

  /// Opens a file of Strata.
  ///
  /// - Parameters:
  ///   - path: As the user wrote it.
  ///   - key: The 64 bytes of an encrypted file.
  ///   - makesBackup: Whether the file is copied before its first change.
  ///   - origin: The file of Realm of which it is a copy.
  /// - Throws: What opening a realm throws.
  package init(
    _ path: String, key: Data?, isWritable: Bool, makesBackup: Bool = true,
    origin: RealmOrigin? = nil
  ) async throws {
    self.path = path
    self.isWritable = isWritable
    url = URL(fileURLWithPath: path)
    var configuration = Realm.Configuration(fileURL: url, readOnly: !isWritable)
    configuration.encryptionKey = key
    configuration.dynamicClasses = .all
    self.configuration = configuration
    let changed = origin?.changed ?? ChangedValues()
    reader = FileReader(configuration, name: "reader", changed: changed)
    slowReader = FileReader(configuration, name: "slow", changed: changed)
    lists = IdentityLists(slowReader)
    _ = try await reader.open()
    let watch = FileWatch(
      url, key: key, schemaVersion: try schemaVersionAtURL(url, encryptionKey: key), origin: origin)
    self.watch = watch
    editor =
      isWritable
      ? FileEditor(configuration, makesBackup: makesBackup) { await watch.tell($0) } : nil
    uploads = isWritable ? try PrivateFolder() : nil
    await watch.begin()
  }

  /// Opens the file with the classes that it has now, if another program has migrated it.
  ///
  /// - Throws: ``RequestFailure`` with code `file` while a question holds the file as it was, and
  ///   what opening a realm throws.
  package func reload() async throws {
    guard await watch.acceptSchema() else { return }
    for _ in 0..<Self.mostTries {
      // The realms of a process share the schema of a file: all let go before one opens it again.
      // A question of another tab may come in between.
      await lists.removeAll()
      await reader.close()
      await slowReader.close()
      await editor?.close()
      let present = try Realm.inspection(
        at: url, encryptionKey: configuration.encryptionKey, countingObjects: false)
      if try await reader.open().schema == present.schema { return }
    }
    throw RequestFailure(
      .unavailable, "file",
      "The file is still read as it was before its migration. Load the page again in a moment.")
  }

  private static let mostTries = 20

  /// Lets go of the file, and tells the pages.
  ///
  /// - Throws: When the folder of uploads can't be removed.
  package func close(_ reason: String) async throws {
    await watch.finish(reason)
    await reader.close()
    await slowReader.close()
    await editor?.close()
    try uploads?.remove()
  }
}
