import ArgumentParser
import StrataSchema
import StrataStudio

struct DiffCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the classes of two files, and their objects.",
    discussion: """
      Lines begin with "-" for what only the first file has, with "+" for what only the second has, and with "~" for \
      what differs. The exit status is 1 if there are differences. Objects are compared with '--data', by their primary \
      keys, or by their identities where a class has none.

      Examples:
        strata diff backup.sqlite people.sqlite
        strata diff default.realm people.sqlite --json
        strata diff backup.sqlite people.sqlite --data
      """)

  @Argument(help: .anyFile, completion: .file()) var first: String
  @Argument(help: .anyFile, completion: .file()) var second: String
  @Flag(help: "Compare the objects of two files of Strata as well.") var data = false
  @Flag(help: "Print nothing. The exit status is the result.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var paths: [String] { [first, second] }

  func validate() throws {
    guard !data || !output.json else {
      throw ValidationError("'--data' writes lines: leave out '--json'.")
    }
  }

  func perform() throws -> CommandResult {
    let report = try DiffReport(
      input(first).schemaDocument(), input(second).schemaDocument())
    if data { return try compareData(report) }
    return output.result(JSONValue(report), report.lines, report.status)
  }

  private func compareData(_ report: DiffReport) throws -> CommandResult {
    let sides = (try QuestionFile(input(first)), try QuestionFile(input(second)))
    if !quiet { try CommandResult(report.lines + [""]).write() }
    var count = 0
    try sides.0.read { old in
      try sides.1.read { new in
        let comparison = DataComparison(.init(sides.0.schema, old), .init(sides.1.schema, new))
        for object in sides.0.schema.schema.objectSchema {
          count +=
            try comparison.forEach(in: object.className) { difference in
              try Interruption.check()
              guard !quiet else { return }
              try CommandResult(DataDifferenceText.lines(difference)).write()
            } ?? 0
        }
      }
    }
    let end =
      count == 0
      ? "The objects are the same."
      : "\(Figures.count(count, "object")) \(count == 1 ? "differs" : "differ")."
    return CommandResult([end], count == 0 ? report.status : .found)
  }

  /// Opens one of the two files. The key is used only for an encrypted file.
  private func input(_ path: String) throws -> InputFile {
    let input = try InputFile(path)
    return input.kind == .other ? try InputFile(path, keyFile: key.keyFile) : input
  }
}
