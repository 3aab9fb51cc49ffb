import ArgumentParser
import Foundation
import Strata
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The examples of docs/command.md, compared with the output of the program.
@Suite struct DocumentTests {
  private let folder: CommandFolder
  private let document: String

  init() throws {
    folder = try CommandFolder()
    document = try String(
      contentsOf: CommandFolder.repository.appendingPathComponent("docs/command.md"),
      encoding: .utf8)
    try folder.copyFixture("PetOwners-v2", to: "old.sqlite")
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.copyFixture("Orders-v3", to: "shop.sqlite")
    try folder.copyRealmFile("all-types", to: "default.realm")
    try execute(Self.history, in: "people.sqlite")
    try FileManager.default.copyItem(
      at: folder.url("people.sqlite"), to: folder.url("broken.sqlite"))
    try makeOrders()
    try execute(
      "UPDATE Person SET address = 99 WHERE _id = 1; DROP TRIGGER strata_delete_Pet",
      in: "broken.sqlite")
  }

  /// As if the file had been migrated from version 2.
  private static let history = """
    ALTER TABLE strata_schema_version ADD COLUMN migrated_from INTEGER;
    ALTER TABLE strata_schema_version ADD COLUMN seconds REAL;
    ALTER TABLE strata_schema_version ADD COLUMN row_count INTEGER;
    ALTER TABLE strata_schema_version ADD COLUMN library TEXT;
    ATTACH 'old.sqlite' AS old;
    INSERT INTO main.strata_schema_version (version, schema, migrated_at)
      SELECT version, schema, '2025-03-01 08:00:00.000' FROM old.strata_schema_version;
    UPDATE strata_schema_version SET migrated_at = '2026-11-21 10:15:02.250', migrated_from = 2,
      seconds = 0.031, row_count = 7, library = '0.1.0' WHERE version = 5;
    """

  /// A file with a history.
  private func makeOrders() throws {
    let url = folder.url("orders.sqlite")
    try FileManager.default.copyItem(at: folder.url("people.sqlite"), to: url)
    var configuration = Realm.Configuration(fileURL: url)
    configuration.dynamicClasses = .all
    configuration.history = .init()
    _ = try Realm(configuration: configuration)
    let process = "'orders-server[812]@host1'"
    try execute(
      """
      DELETE FROM strata_history;
      INSERT INTO strata_history VALUES
        (1, 161, '2026-11-22 20:00:00.000', 'began', NULL, \(process), 5, '[]', NULL),
        (2, 162, '2026-11-22 20:00:04.512', 'write', 'import', \(process), 5,
          '[["Person","i",[[1,3]]],["Pet","i",[1,2]]]', NULL),
        (3, 163, '2026-11-22 20:00:05.000', 'write', NULL, \(process), 5,
          '[["Person","u",["age"],[2]],["Person","d",[3]]]',
          '{"Person":{"3":{"fullName":"Grace Hopper"}}}'),
        (4, 164, '2026-11-22 20:01:00.000', 'other', NULL, NULL, 5, '''Pet'',''u'',1,''kind''', NULL);
      INSERT INTO strata_history_consumer VALUES
        ('outbox', 2, 162, '2026-11-22 20:00:04.512');
      """, in: "orders.sqlite")
  }

  private func execute(_ sql: String, in name: String) throws {
    let old = folder.url("old.sqlite").path
    try folder.execute(
      sql.replacingOccurrences(of: "'old.sqlite'", with: "'\(old)'"), in: name, foreignKeys: false)
  }

  private func blocks(_ language: String) -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```" { isInside = false }
      if isInside { blocks[blocks.count - 1].append(String(line)) }
      if line == "```\(language)" {
        isInside = true
        blocks.append([])
      }
    }
    return blocks
  }

  /// The output of a line in a shell.
  private func shell(_ line: String) throws -> [String] {
    let output = Pipe()
    let folderOfProgram = Tool.executable.deletingLastPathComponent().path
    let process = Tool.process(
      ["-c", "PATH=\"$0:$PATH\"; \(line)", folderOfProgram], of: URL(fileURLWithPath: "/bin/sh"),
      in: folder, output: output, errors: output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // The document has the SQLite of Debian 12.
    let library = SQLiteLibrary.current
    let shown = SQLiteLibrary(number: 3_040_001)
    return text.replacing("\(library)", with: "\(shown)")
      .replacing("\"version\": \"\(library.version)\"", with: "\"version\": \"\(shown.version)\"")
      .replacing("\"walResetFix\": true", with: "\"walResetFix\": false")
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func `Each example shows what the program says`() throws {
    let blocks = blocks("console")
    expectTrue(blocks.count > 10)
    for block in blocks {
      var shown: [String] = []
      for line in block where line.hasPrefix("$ ") {
        shown.append(line)
        shown += try shell(String(line.dropFirst(2)))
      }
      expectEqual(shown, block)
    }
  }

  @Test func `The diagram is that of the example`() throws {
    try expectEqual(blocks("mermaid"), [shell("strata schema people.sqlite --format mermaid")])
  }

  @Test func `Each exit status is described`() {
    for status in CommandStatus.allCases {
      expectTrue(document.contains("\n| \(status.rawValue) | "), "\(status)")
    }
  }

  @Test func `Each command has a place in the document`() {
    for command in RootCommand.configuration.subcommands
    where command.configuration.shouldDisplay {
      let name = command.configuration.commandName ?? ""
      expectTrue(document.contains("| [`strata \(name) "), "\(name)")
    }
  }
}
