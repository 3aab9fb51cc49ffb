import ArgumentParser

struct DiffCommand: FileCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the classes of two files.",
    discussion: """
      Lines begin with "-" for what only the first file has, with "+" for what only the second has, and with "~" for \
      what differs. The exit status is 1 if there are differences. Objects are not compared.

      Examples:
        strata diff backup.sqlite people.sqlite
        strata diff default.realm people.sqlite --json
      """)

  @Argument(help: .anyFile, completion: .file()) var first: String
  @Argument(help: .anyFile, completion: .file()) var second: String
  @Flag(help: "Print nothing: the exit status tells.") var quiet = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  var isQuiet: Bool { quiet }
  var paths: [String] { [first, second] }

  func perform() throws -> CommandResult {
    let report = try DiffReport(document(first), document(second))
    return output.json
      ? CommandResult(JSONValue(report), report.status)
      : CommandResult(report.lines, report.status)
  }

  /// The key is for each file that is encrypted.
  private func document(_ path: String) throws -> SchemaDocument {
    let input = try InputFile(path)
    guard input.kind == .other else { return try input.schemaDocument() }
    return try InputFile(path, keyFile: key.keyFile).schemaDocument()
  }
}
