import ArgumentParser
import Foundation
import Strata
import StrataStudio

struct CompactCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Gives back the room in a file that nothing uses.",
    discussion: """
      The whole file is written again. Until that is done the disk needs room for a second copy, and no other program \
      may use the file: else the exit status is 75, and nothing is changed.

      Examples:
        strata compact people.sqlite
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Flag(help: "Print nothing.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    _ = try input.inspection()
    var configuration = input.configuration(readOnly: false)
    configuration.shouldCompactOnLaunch = { _, _ in true }
    let before = input.size
    // Closing the last connection checkpoints the WAL.
    Interruption.listen()
    _ = try Realm(configuration: configuration, Interruption.cancellation)
    let after = input.size
    let report: JSONValue = [
      "file": .text(file), "bytesBefore": .int(before), "bytes": .int(after),
    ]
    let line =
      "\(PlainText.of(file)): \(Figures.bytes(before)), now \(Figures.bytes(after))"
    return output.result(report, [line])
  }
}
