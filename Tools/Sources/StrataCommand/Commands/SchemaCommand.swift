import ArgumentParser
import StrataStudio

struct SchemaCommand: FileCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, mermaid, svg, swift
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Shows the classes of a file with their properties and links.",
    discussion: """
      A diagram in the language of Mermaid is drawn by GitHub between "```mermaid" and "```".

      Examples:
        strata schema people.sqlite
        strata schema people.sqlite --at 3 --class Person
        strata schema default.realm --format mermaid > classes.mmd
        strata schema people.sqlite --format svg > classes.svg
        strata schema people.sqlite --format swift > Classes.swift
      """)

  @Argument(help: .anyFile, completion: .file()) var file: String
  @Option(help: "How the classes are shown.") var format: Format?
  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Show this class. May be repeated.", valueName: "name"))
  var classNames: [String] = []
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("The classes as they were at an earlier version.", valueName: "version"))
  var version: UInt64?
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !output.json || format == nil || format == .json else {
      throw ValidationError("'--json' and '--format' contradict each other: leave out one.")
    }
  }

  /// The format that the options choose: text by default.
  var wantedFormat: Format { format ?? (output.json ? .json : .text) }

  var paths: [String] { [file] }

  func perform() throws -> CommandResult {
    let input = try InputFile(file, keyFile: key.keyFile)
    var document =
      if let version { try input.schemaDocument(at: version) } else { try input.schemaDocument() }
    do {
      document = try document.restricted(to: classNames)
    } catch {
      throw input.failure(
        "The file has no class '\(PlainText.of(error.name))'",
        "It has these: \(PlainText.of(error.known.joined(separator: ", "))).")
    }
    return switch wantedFormat {
    case .text: CommandResult(SchemaText.lines(document))
    case .json: CommandResult(JSONValue(document))
    case .mermaid: CommandResult(MermaidDiagram.lines(document))
    case .svg: CommandResult([SchemaDiagram(document).svg()])
    case .swift: CommandResult(SwiftSource.lines(document))
    }
  }
}
