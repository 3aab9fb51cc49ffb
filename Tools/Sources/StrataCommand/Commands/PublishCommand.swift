import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct PublishCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Makes a copy of a file the newest version of a replica.",
    discussion: """
      The copy has everything that was committed, as of one moment, and each of its pages is checked before it becomes \
      a version. Programs that have opened the folder with 'Realm.Configuration(replica:)' show it at once. The \
      newest two versions stay, and each that was replaced less than a minute ago.

      Examples:
        strata publish nightly.sqlite /data/orders.replica
        strata publish people.sqlite people.replica --key-file key.bin
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(
    help: "The folder of the replica; it is made if it isn't there.", completion: .directory)
  var folder: String
  @Flag(help: "Show no progress, and print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file, folder] }

  func validate() throws {
    guard !folder.isEmpty else { throw ValidationError("The path of the folder is empty.") }
  }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    let version = try input.inspection().schemaVersion ?? 0
    let place = ReplicaFolder(URL(fileURLWithPath: folder, isDirectory: true))
    Interruption.listen()
    let lock = try FolderLock(place, shown: folder)
    defer { withExtendedLifetime(lock) {} }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let entry: ReplicaFolder.Entry
    do {
      entry = try place.publish(
        PublicationName(time: Date()), input.databaseKey.map { FileKey($0) }
      ) { part in
        try FileBackup.copyWhole(
          input.url, to: part, input.databaseKey.map { FileKey($0) }, Interruption.cancellation
        ) { bar.show("Copying", $0) }
        try Interruption.check()
      }
    } catch {
      lock.removeFolder()
      throw error
    }
    try place.prune(PublicationRetention())
    let size = try InputFile(place.file(entry.name).path).size
    let line = "Published \(PlainText.of(file)) to \(PlainText.of(folder)): version \(version), "
    return output.result(
      [
        "file": .text(file), "folder": .text(folder), "version": .text("\(entry.name)"),
        "schemaVersion": .unsigned(version), "bytes": .int(size),
      ], [line + Figures.bytes(size)])
  }
}
