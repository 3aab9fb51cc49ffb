import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct BackupCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a file, also one that programs are writing to.",
    discussion: """
      The copy has everything that was committed, as of one moment, and each of its pages is checked before it gets \
      its name. An existing file is never written over. Other copies ('cp') lack what is in the WAL of an open file.

      Examples:
        strata backup people.sqlite copy.sqlite
        strata backup people.sqlite backups/      # under a name with the version and the time
        strata backup people.sqlite               # into people-backups, where migrations make theirs
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(
    help: "The copy, or a folder for it; without it, the folder for copies before migrations.",
    completion: .file())
  var destination: String?
  @Flag(help: "Show no progress, and print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] + (destination.map { [$0] } ?? []) }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    let version = try input.inspection().schemaVersion ?? 0
    let path = try target(input.configuration, version)
    try OutputFile.require(path)
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    Interruption.listen()
    try Realm.makeBackup(
      at: URL(fileURLWithPath: path), for: input.configuration, Interruption.cancellation
    ) { bar.show("Copying", $0) }
    let size = try InputFile(path).size
    let line = "Copied \(PlainText.of(file)) to \(PlainText.of(path)): version \(version), "
    return output.result(
      [
        "file": .text(file), "backup": .text(path), "schemaVersion": .unsigned(version),
        "bytes": .int(size),
      ], [line + Figures.bytes(size)])
  }

  /// The path of the copy.
  private func target(
    _ configuration: Realm.Configuration, _ version: UInt64
  ) throws -> String {
    let folder = destination.map { URL(fileURLWithPath: $0) }
    if let destination, !destination.hasSuffix("/"), !InputFile.isFolder(destination) {
      return destination
    }
    return try Realm.newBackupPath(for: configuration, version, in: folder)
  }
}
