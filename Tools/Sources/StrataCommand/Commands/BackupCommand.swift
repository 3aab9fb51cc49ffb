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

  var isQuiet: Bool { quiet }
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
    ) { fraction in
      bar.show(ProgressLine(title: "Copying", fraction: fraction))
    }
    let report = CopyReport(
      direction: .backup, file: file, backup: path, version: version,
      size: try InputFile(path).size)
    return output.json ? CommandResult(JSONValue(report)) : CommandResult([report.line])
  }

  /// The path of the copy.
  private func target(
    _ configuration: Realm.Configuration, _ version: UInt64
  ) throws -> String {
    guard let destination else {
      return try Realm.newBackupPath(for: configuration, version, in: nil)
    }
    guard Self.isFolder(destination) else { return destination }
    return try Realm.newBackupPath(
      for: configuration, version, in: URL(fileURLWithPath: destination))
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
