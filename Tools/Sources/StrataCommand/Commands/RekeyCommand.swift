import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct RekeyCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Copies a file to a new file with another key, with its first key, or unencrypted.",
    discussion: """
      The new file has everything that was committed, as of one moment. The old one stays as it is, under its old key: \
      end the programs that have it open, put the new file in its place, and delete the old one with its WAL and its \
      copies: whoever knows the old key can still open these.

      Examples:
        strata rekey people.sqlite new.sqlite --key-file old.bin --new-key-file new.bin
        strata rekey plain.sqlite new.sqlite --new-key-file new.bin
        strata rekey people.sqlite plain.sqlite --key-file old.bin --decrypt
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(help: "The new file, which must not exist yet.", completion: .file()) var target: String
  @OptionGroup var key: KeyOptions
  @Option(
    help: ArgumentHelp("A file with the key of the new file.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?
  @Flag(help: "Write a file that isn't encrypted.") var decrypt = false
  @Flag(help: "Print nothing.") var quiet = false
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file, target] }

  func validate() throws {
    guard decrypt != (newKeyFile != nil) else {
      throw ValidationError(
        "Give the new key with '--new-key-file', or '--decrypt' for a file without one.")
    }
    guard !decrypt || key.keyFile != nil else {
      throw ValidationError("'--decrypt' needs the key that the file has: give '--key-file'.")
    }
  }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    let version = try input.inspection().schemaVersion ?? 0
    let newKey = try EncryptionKeyFile.read(newKeyFile, encrypting: target)
    guard newKey != input.databaseKey else {
      throw CommandFailure(
        .usage, path: file, "The new key is the present key of the file",
        repair: "Give another key with '--new-key-file'.")
    }
    try OutputFile.require(target)
    let url = URL(fileURLWithPath: target)
    Interruption.listen()
    try Realm(configuration: input.configuration(readOnly: true))
      .writeCopy(toFile: url, encryptionKey: newKey, Interruption.cancellation)
    // The copy is verified before the user deletes the old file.
    let written = try Realm.inspection(at: url, encryptionKey: newKey, countingObjects: false)
    guard written.schemaVersion == version else {
      throw CommandFailure(
        .temporary, path: file, "A program has migrated the file meanwhile",
        repair: "Delete '\(PlainText.of(target))', and try again.")
    }
    let size = try InputFile(target, keyFile: newKeyFile).size
    let report: JSONValue = [
      "file": .text(file), "copy": .text(target), "schemaVersion": .unsigned(version),
      "bytes": .int(size), "encrypted": .bool(newKey != nil),
    ]
    let how =
      newKey == nil
      ? "without a key" : input.databaseKey == nil ? "with a key" : "with another key"
    let line =
      "Copied \(PlainText.of(file)) to \(PlainText.of(target)) \(how): version \(version), "
      + Figures.bytes(size)
    return output.result(report, [line])
  }
}
