import ArgumentParser
import Testing

@testable import StrataCommand

/// What arguments mean, without doing it.
@Suite struct ParsingTests {
  private func parse<Command: ParsableCommand>(
    _ arguments: String..., as type: Command.Type
  ) throws -> Command {
    try #require(try RootCommand.parseAsRoot(arguments) as? Command)
  }

  private func message(_ arguments: String...) -> (String, Int32) {
    do {
      _ = try RootCommand.parseAsRoot(arguments)
      return ("", 0)
    } catch {
      return (RootCommand.message(for: error), RootCommand.exitCode(for: error).rawValue)
    }
  }

  @Test func `A file is described`() throws {
    let command = try parse("info", "a.sqlite", "--key-file", "k", "--json", as: InfoCommand.self)
    #expect(command.file == "a.sqlite")
    #expect(command.key.keyFile == "k")
    #expect(command.output.json)
    #expect(!command.noCount)
    #expect(try parse("info", "a.sqlite", "--no-count", as: InfoCommand.self).noCount)
  }

  @Test func `Classes are shown in four ways`() throws {
    func format(_ arguments: [String]) throws -> SchemaCommand.Format? {
      (try RootCommand.parseAsRoot(["schema", "a"] + arguments) as? SchemaCommand)?.wantedFormat
    }
    #expect(try format([]) == .text)
    #expect(try format(["--json"]) == .json)
    #expect(try format(["--format", "json"]) == .json)
    #expect(try format(["--format", "mermaid"]) == .mermaid)
    #expect(try format(["--format", "swift"]) == .swift)
    #expect(try format(["--format", "json", "--json"]) == .json)
    let command = try parse(
      "schema", "a", "--class", "A", "--class", "B", "--at", "3", as: SchemaCommand.self)
    #expect(command.classNames == ["A", "B"])
    #expect(command.version == 3)
  }

  @Test func `Options that contradict each other are refused`() {
    let (text, code) = message("schema", "a", "--json", "--format", "text")
    #expect(code == CommandStatus.usage.rawValue)
    #expect(text == "'--json' and '--format' contradict each other: leave out one.")
  }

  @Test func `A new key, or none, is said`() {
    let both = message("rekey", "a", "b", "--key-file", "k", "--new-key-file", "n", "--decrypt")
    #expect(both.1 == CommandStatus.usage.rawValue)
    let none = message("rekey", "a", "b")
    #expect(
      none.0 == "Give the new key with '--new-key-file', or '--decrypt' for a file without one.")
    #expect(
      message("rekey", "a", "b", "--decrypt").0
        == "'--decrypt' needs the key that the file has: give '--key-file'.")
  }

  @Test func `Copies have a file, and sometimes a place`() throws {
    #expect(try parse("backup", "a", as: BackupCommand.self).destination == nil)
    #expect(try parse("backup", "a", "b", as: BackupCommand.self).destination == "b")
    #expect(try !parse("restore", "a", "b", as: RestoreCommand.self).replace)
    #expect(try parse("restore", "a", "b", "--replace", as: RestoreCommand.self).replace)
  }

  @Test(arguments: [
    ["info"], ["info", "a", "b"], ["schema", "a", "--format", "xml"],
    ["schema", "a", "--at", "-1"],
    ["diff", "a"], ["restore", "a"], ["explode"], ["check", "--what"],
  ])
  func `Wrong arguments have the number of wrong usage`(arguments: [String]) {
    let error = #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
    #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == CommandStatus.usage.rawValue)
  }

  @Test(arguments: RootCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" })
  func `Each command has help with an example of itself`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let help = RootCommand.helpMessage(for: command, columns: 100)
    #expect(help.contains("Examples:\n  strata \(name) "))
    #expect(help.contains("USAGE: strata \(name) "))
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish])
  func `Shells complete commands and files`(shell: CompletionShell) {
    let script = RootCommand.completionScript(for: shell)
    #expect(script.contains("restore"))
    #expect(script.contains("mermaid"))
  }
}
