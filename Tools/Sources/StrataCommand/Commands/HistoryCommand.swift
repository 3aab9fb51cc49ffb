import ArgumentParser
import Strata
import StrataStudio

struct HistoryCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists the schema versions that a file has been at.",
    discussion: """
      Examples:
        strata history people.sqlite
        strata history people.sqlite --changes
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Flag(help: "List what changed in each version.") var changes = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let report = HistoryReport(
      path: file, try InputFile(file, keyFile: key.keyFile).inspection().history)
    return output.result(JSONValue(report), report.lines(showsChanges: changes))
  }
}
