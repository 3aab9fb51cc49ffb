import ArgumentParser
import Foundation
import Strata
import StrataStorage
import StrataStudio

struct TwinCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "twin",
    abstract: "Writes a file of the same shape with other values, for tests and reports of faults.",
    discussion: """
      The twin has the classes, indexes and versions of the file, as many objects with the same links, and for each \
      value another one: a text of the same length with a letter for a letter, a number with the same first digit and \
      as many others, dates earlier by a secret time. Equal values stay equal, and different ones different. Values of \
      one or two bytes or digits stay. Rows of other programs' tables, and entries of a history, are left out.

      The secret is drawn at random and stored nowhere, unless '--seed' gives it, for the same twin again: whoever \
      knows the number can compute originals. A twin still shows names of classes and properties, how many objects \
      and links there are, how long texts are, which values are equal, and all short values; and whoever knows one of \
      the dates knows all of them.

      Examples:
        strata twin people.sqlite twin.sqlite
        strata twin people.sqlite Fixtures/people.sqlite --seed 7 --keep Pet.kind
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Argument(help: "The twin. There must be no such file.", completion: .file()) var target: String
  @Option(
    help: ArgumentHelp(
      "Compute the values from a number: the same file gives the same twin again.",
      valueName: "number"))
  var seed: UInt64?
  @Option(
    help: ArgumentHelp(
      "A property whose values stay, such as one of an enum; may be repeated.",
      valueName: "class.property"))
  var keep: [String] = []
  @Flag(help: "Show no progress, and print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @Option(
    help: ArgumentHelp(
      "A file with the key of the twin, which otherwise isn't encrypted.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file, target] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    _ = try input.inspection()
    let newKey = try EncryptionKeyFile.read(newKeyFile, encrypting: target)
    try OutputFile.require(target)
    Interruption.listen()
    let contents = try write(input, newKey)
    let report = TwinReport(
      file: file, twin: target, contents: contents, seed: seed,
      wasEncrypted: input.databaseKey != nil, isEncrypted: newKey != nil,
      size: try InputFile(target, keyFile: newKeyFile).size)
    return output.result(JSONValue(report), report.lines)
  }

  private func write(_ input: InputFile, _ newKey: Data?) throws -> TwinFile.Contents {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let target = StoreFile.behindLinks(URL(fileURLWithPath: target))
    let key = input.databaseKey.map { FileKey($0) }
    var contents = TwinFile.Contents()
    let isPlaced = try CopyDestination.fill(target) { temporary in
      let copy = DatabaseCopy.between(temporary)
      try FileBackup.copyWhole(
        input.url, to: copy, named: target, key, Interruption.cancellation
      ) { bar.show("Copying", $0) }
      try Interruption.check()
      let twin = TwinFile(
        original: copy, key: key, newKey: newKey.map { FileKey($0) },
        secret: seed.map(TwinSecret.init(seed:)) ?? TwinSecret(), kept: Set(keep),
        cancellation: Interruption.cancellation)
      contents = try twin.write(to: temporary, of: input.url, named: target) {
        bar.show("Replacing", $0)
      }
      try Interruption.check()
    }
    guard isPlaced else {
      throw CommandFailure(
        .cannotCreate, path: self.target, "A file was made there meanwhile",
        repair: "Delete it first, or choose another name.")
    }
    return contents
  }
}
