import ArgumentParser
import Strata
import StrataStudio

struct CheckCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds everything that is wrong with a file: pages, tables, values, links.",
    discussion: """
      Each page and each value is looked at, while other programs may write. Nothing is repaired. Of many rows with \
      the same problem a hundred are listed. The exit status is 1 if there are problems.

      Examples:
        strata check people.sqlite
        strata check people.sqlite --quiet || restore-from-backup
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Flag(help: "Print nothing: the exit status tells.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var isQuiet: Bool { quiet }
  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    do {
      _ = try input.inspection()
    } catch let error as Realm.Error where error.code == .invalidDatabase {
      // The check below reports the damage in more detail.
    }
    let bar = ProgressBar(isQuiet: quiet)
    Interruption.listen()
    let problems = try Realm.problems(for: input.configuration, Interruption.cancellation) {
      progress in
      bar.show(
        ProgressLine(
          title: "Checking",
          fraction: Double(progress.completedSteps) / Double(progress.totalSteps),
          detail: progress.subject))
    }
    bar.finish()
    let report = CheckReport(path: file, problems: problems)
    return output.json
      ? CommandResult(JSONValue(report), report.status)
      : CommandResult(report.lines, report.status)
  }
}
