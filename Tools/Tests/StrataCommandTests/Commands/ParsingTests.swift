import ArgumentParser
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// The meaning of arguments, without running the commands.
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

  @Test func `Classes are shown in four ways`() throws {
    func format(_ arguments: [String]) throws -> SchemaCommand.Format? {
      (try RootCommand.parseAsRoot(["schema", "a"] + arguments) as? SchemaCommand)?.wantedFormat
    }
    try expectEqual(format([]), .text)
    try expectEqual(format(["--json"]), .json)
    try expectEqual(format(["--format", "json"]), .json)
    try expectEqual(format(["--format", "mermaid"]), .mermaid)
    try expectEqual(format(["--format", "swift"]), .swift)
    try expectEqual(format(["--format", "json", "--json"]), .json)
    let command = try parse(
      "schema", "a", "--class", "A", "--class", "B", "--at", "3", as: SchemaCommand.self)
    expectEqual(command.classNames, ["A", "B"])
    expectEqual(command.version, 3)
  }

  @Test func `Options that contradict each other are refused`() {
    let (text, code) = message("schema", "a", "--json", "--format", "text")
    expectEqual(code, CommandStatus.usage.rawValue)
    expectEqual(text, "'--json' and '--format' contradict each other: leave out one.")
  }

  @Test func `A new key, or none, is said`() {
    let both = message("rekey", "a", "b", "--key-file", "k", "--new-key-file", "n", "--decrypt")
    expectEqual(both.1, CommandStatus.usage.rawValue)
    let none = message("rekey", "a", "b")
    expectEqual(
      none.0, "Give the new key with '--new-key-file', or '--decrypt' for a file without one.")
    expectEqual(
      message("rekey", "a", "b", "--decrypt").0,
      "'--decrypt' needs the key that the file has: give '--key-file'.")
  }

  @Test(arguments: [
    ["info"], ["info", "a", "b"], ["schema", "a", "--format", "xml"],
    ["schema", "a", "--at", "-1"],
    ["diff", "a"], ["restore", "a"], ["explode"], ["check", "--what"], ["twin", "a"],
    ["twin", "a", "b", "--seed", "-1"],
  ])
  func `Wrong arguments have the number of wrong usage`(arguments: [String]) {
    let error = #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
    expectEqual(error.map { RootCommand.exitCode(for: $0).rawValue }, CommandStatus.usage.rawValue)
  }

  @Test(arguments: RootCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" })
  func `Each command has help with an example of itself`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let help = RootCommand.helpMessage(for: command, columns: 100)
    expectTrue(help.contains("Examples:\n  strata \(name) "))
    expectTrue(help.contains("USAGE: strata \(name) "))
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish])
  func `Shells complete commands and files`(shell: CompletionShell) {
    let script = RootCommand.completionScript(for: shell)
    expectTrue(script.contains("restore"))
    expectTrue(script.contains("mermaid"))
  }
}

@Suite struct ConversionOptionsTests {
  @Test func `Nothing is chosen without an option`() throws {
    try expectEqual(ConversionOptions.parse([]).choices, [])
  }

  @Test(arguments: [
    (["--nan", "nil"], ConversionChoice.nan(.asNil)),
    (["--nan", "nil-or-zero"], .nan(.asNilOrZero)), (["--dates", "nil"], .dates(.asNil)),
    (["--dates", "clamp"], .dates(.clamped)),
    (["--invalid-text", "repair"], .invalidText(.repaired)),
    (["--dangling-links", "nil"], .danglingLinks(.asNil)),
    (["--nested-collections", "nil"], .nestedCollections(.asNil)),
    (["--asymmetric-classes", "leave-out"], .asymmetricClasses(.leftOut)),
    (["--bookkeeping-classes", "leave-out"], .bookkeepingClasses(.leftOut)),
  ])
  func `Each choice has an option`(arguments: [String], choice: ConversionChoice) throws {
    try expectEqual(ConversionOptions.parse(arguments).choices, [choice])
  }

  @Test(arguments: ConversionFinding.Kind.allCases)
  func `What is found has a repair in options that there are`(kind: ConversionFinding.Kind) throws {
    let repair = FindingLines.repair(kind)
    expectTrue(repair.hasSuffix("."))
    for match in repair.matches(of: /'(--[a-z-]+ [a-z-]+)'/) {
      let arguments = match.output.1.split(separator: " ").map(String.init)
      try expectEqual(ConversionOptions.parse(arguments).choices.count, 1)
    }
  }
}
