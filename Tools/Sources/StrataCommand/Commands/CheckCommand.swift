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

      With --as, nothing of this is looked at. It says instead what programs of an older version can do with the file, \
      if they set 'opensNewerVersions'. The version is one that the file had, or the version of another file, whose \
      path is given. The exit status is 1 unless they may write and add objects of each class.

      Examples:
        strata check people.sqlite
        strata check people.sqlite --quiet || restore-from-backup
        strata check people.sqlite --as 4
        strata check people.sqlite --as Fixtures/people-v4.sqlite
      """)

  @Argument(help: .file, completion: .file()) var file: String
  @Option(
    name: .customLong("as"),
    help: .init("Report what programs of an older version may do.", valueName: "version or file"))
  var olderVersion: String?
  @Flag(help: "Print nothing. The exit status is the result.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    if let olderVersion {
      let report = try OlderProgramReport(olderVersion, input)
      return output.result(JSONValue(report), report.lines, report.status)
    }
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
        "Checking", Double(progress.completedSteps) / Double(progress.totalSteps),
        detail: progress.subject)
    }
    bar.finish()
    let report = CheckReport(path: file, problems: problems)
    return output.result(JSONValue(report), report.lines, report.status)
  }
}
