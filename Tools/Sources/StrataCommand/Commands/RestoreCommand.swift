import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct RestoreCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Puts a copy in the place of a file.",
    discussion: """
      The copy is checked first, and is kept. An existing file is only replaced with '--replace': changes since the \
      copy was made are lost then. Programs that have the file open see the change at once.

      Examples:
        strata restore copy.sqlite people.sqlite
        strata backup people.sqlite && strata restore copy.sqlite people.sqlite --replace
      """)

  @Argument(help: "The copy: a file of Strata.", completion: .file()) var backup: String
  @Argument(help: "Where it is put.", completion: .file()) var file: String
  @Flag(help: "Replace the file if there is one.") var replace = false
  @Flag(help: "Print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [backup, file] }

  func perform() throws -> CommandResult {
    let copy = try InputFile(backup, keyFile: key.keyFile)
    let version = try copy.inspection().schemaVersion ?? 0
    let target = URL(fileURLWithPath: file)
    if try exists() {
      guard target.resolvingSymlinksInPath() != copy.url.resolvingSymlinksInPath() else {
        throw CommandFailure(
          .usage, path: file, "The copy and the file are the same",
          repair: "Give the path of the file to be replaced.")
      }
      guard replace else {
        throw CommandFailure(
          .cannotCreate, path: file, "There is a file already",
          repair: "Add '--replace' to replace it; 'strata backup' makes a copy of it first.")
      }
    }
    var configuration = copy.configuration
    configuration.fileURL = target
    Interruption.listen()
    try Realm.restoreBackup(at: copy.url, for: configuration, Interruption.cancellation)
    let line = "Restored \(PlainText.of(backup)) to \(PlainText.of(file)): version \(version), "
    return output.result(
      [
        "file": .text(file), "backup": .text(backup), "schemaVersion": .unsigned(version),
        "bytes": .int(copy.size),
      ], [line + Figures.bytes(copy.size)])
  }

  private func exists() throws -> Bool {
    var status = stat()
    guard stat(file, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(
        .cannotCreate, path: file, "This is no ordinary file", repair: "Give the path of a file.")
    }
    return true
  }
}
