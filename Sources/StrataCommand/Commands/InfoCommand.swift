import ArgumentParser
import Strata
import StrataStudio

struct InfoCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Says what a file is: its version, its classes, how many objects it has, its size.",
    discussion: """
      Examples:
        strata info people.sqlite
        strata info default.realm --key-file key.bin
        strata info people.sqlite --json | jq '.classes[] | select(.objects > 0) | .name'
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Flag(help: "Don't count the objects, which takes time for each.") var noCount = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let report = try report(InputFile(file, keyFile: key.keyFile))
    return output.json ? CommandResult(JSONValue(report)) : CommandResult(report.lines)
  }

  private func report(_ input: InputFile) throws -> InfoReport {
    guard input.isDatabase else {
      return InfoReport(
        path: file, try input.realmFile(), size: input.size, isEncrypted: input.kind == .other)
    }
    return InfoReport(
      path: file, try input.inspection(countingObjects: !noCount), isCounted: !noCount,
      isEncrypted: input.kind == .encryptedDatabase)
  }
}
