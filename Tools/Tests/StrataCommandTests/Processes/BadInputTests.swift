import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataCommand

/// Paths with any contents: the command ends with an exit status, a sentence with the path and the
/// repair, and no change.
@Suite struct BadInputTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private static let reading = [
    ["info"], ["schema"], ["history"], ["check"], ["diff", "good.sqlite"],
  ]

  /// Expects each command to refuse a path in the same way.
  private func expectRefused(
    _ name: String, _ status: CommandStatus, _ message: String,
    by commands: [[String]] = BadInputTests.reading + [["backup"]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try folder.copyFixture("PetOwners-v5", to: "good.sqlite")
    defer { unlink(folder.url("good.sqlite").path) }
    let before = try folder.names
    for command in commands {
      let outcome = try Tool.run(command + [name], in: folder)
      expectEqual(outcome.status, status.rawValue, "\(command)", sourceLocation: sourceLocation)
      expectEqual(
        outcome.errors, "strata: " + message + "\n", "\(command)", sourceLocation: sourceLocation)
      expectEqual(outcome.output, "", "\(command)", sourceLocation: sourceLocation)
    }
    try expectEqual(folder.names, before, sourceLocation: sourceLocation)
  }

  @Test func `A path without a file`() throws {
    try expectRefused(
      "none.sqlite", .noInput, "'none.sqlite': There is no such file. Check the path.")
    try expectRefused(
      "good.sqlite/none", .noInput, "'good.sqlite/none': There is no such file. Check the path.")
  }

  @Test func `A folder, and what is no file`() throws {
    try FileManager.default.createDirectory(
      at: folder.url("folder"), withIntermediateDirectories: false)
    try expectRefused("folder", .noInput, "'folder': This is a folder. Give the path of a file.")
    try expectRefused(
      "/dev/null", .noInput, "'/dev/null': This is no ordinary file. Give the path of a file.")
  }

  @Test func `An empty file`() throws {
    try Data().write(to: folder.url("empty.sqlite"))
    try expectRefused(
      "empty.sqlite", .data,
      "'empty.sqlite': The file is empty. Check the path, or restore the file from a backup.")
  }

  @Test func `A text`() throws {
    try Data("# People\n".utf8).write(to: folder.url("people.sqlite"))
    try expectRefused(
      "people.sqlite", .data,
      "'people.sqlite': This is neither an SQLite database nor a readable file of Realm. Check the path. "
        + "If it is encrypted, give its key with '--key-file'.",
      by: [["info"], ["schema"], ["diff", "good.sqlite"]])
    try expectRefused(
      "people.sqlite", .data,
      "'people.sqlite': This is not a file of Strata: it is not an SQLite database, or its first page is "
        + "damaged. Check the path, or restore the file from a backup. If it is encrypted, give its key "
        + "with '--key-file'.",
      by: [["history"], ["check"], ["backup"]])
  }

  @Test func `A database of another program`() throws {
    try folder.execute("CREATE TABLE notes (text)", in: "notes.sqlite")
    try expectRefused(
      "notes.sqlite", .data,
      "'notes.sqlite': This database of SQLite is not a file of Strata: its table "
        + "'strata_schema_version' is missing or empty. Check the path.")
  }

  @Test func `A file of Realm where one of Strata is needed`() throws {
    try folder.copyRealmFile("links", to: "old.sqlite")
    try expectRefused(
      "old.sqlite", .data,
      "'old.sqlite': This is a file of Realm, and the command works on files of Strata. Make one of it "
        + "with 'strata convert'.", by: [["history"], ["check"], ["backup"]])
  }

  @Test func `A record of a newer format`() throws {
    try folder.copyFixture("PetOwners-v5", to: "new.sqlite")
    try folder.execute(
      "UPDATE strata_schema_version SET schema = replace(schema, '\"format\":1', '\"format\":2')",
      in: "new.sqlite")
    for command in [["info"], ["schema"], ["history"]] {
      let outcome = try Tool.run(command + ["new.sqlite"], in: folder)
      expectEqual(outcome.status, 65)
      expectTrue(outcome.errors.contains("stored in format 2, and only format 1 is known"))
    }
    let check = try Tool.run(["check", "new.sqlite"], in: folder)
    expectEqual(check.status, 1)
    expectTrue(check.output.contains("stored in format 2, and only format 1 is known"))
  }

  @Test func `A damaged file of Strata`() throws {
    try folder.copyFixture("PetOwners-v5", to: "good.sqlite")
    let bytes = try Data(contentsOf: folder.url("good.sqlite"))
    let damaged = folder.url("damaged.sqlite")
    // The end is missing; every page but the first is noise; only the first bytes are left.
    var noise = bytes
    for index in 4096..<noise.count { noise[index] = UInt8(truncatingIfNeeded: index &* 7919) }
    for content in [bytes.prefix(9_000), noise, bytes.prefix(600), bytes.prefix(100)] {
      try content.write(to: damaged)
      for command in [["info"], ["schema"], ["history"], ["check"], ["backup"]] {
        let outcome = try Tool.run(command + ["damaged.sqlite"], in: folder)
        expectTrue([1, 65].contains(outcome.status), "\(command) \(outcome)")
        expectTrue(outcome.status == 1 || outcome.output == "", "\(command) \(outcome)")
        expectTrue(outcome.status != 1 || command == ["check"], "\(command) \(outcome)")
        expectTrue(
          outcome.status == 1 || outcome.errors.hasPrefix("strata: "), "\(command) \(outcome)")
      }
      try expectEqual(Data(contentsOf: damaged), content)
    }
    try expectEqual(
      folder.names.filter { $0.hasSuffix(".sqlite") }, ["damaged.sqlite", "good.sqlite"])
  }

  @Test func `A damaged file of Realm`() throws {
    try folder.copyRealmFile("all-types", to: "whole.realm")
    let bytes = try Data(contentsOf: folder.url("whole.realm"))
    for content in [bytes.prefix(20_000), bytes.prefix(30), bytes.prefix(24) + Data(count: 4096)] {
      try content.write(to: folder.url("damaged.realm"))
      for command in [["info"], ["schema"], ["diff", "whole.realm"]] {
        let outcome = try Tool.run(command + ["damaged.realm"], in: folder)
        expectEqual(outcome.status, 65, "\(command) \(outcome)")
        expectTrue(outcome.errors.hasPrefix("strata: '"), "\(command) \(outcome)")
        expectEqual(outcome.output, "")
      }
    }
  }

  @Test func `A file that may not be read`() throws {
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    chmod(folder.url("people.sqlite").path, 0)
    for command in [["info"], ["check"]] {
      let outcome = try Tool.run(command + ["people.sqlite"], in: folder, asOther: true)
      expectEqual(outcome.status, CommandStatus.noPermission.rawValue)
      expectEqual(
        outcome.errors,
        "strata: 'people.sqlite': The file can't be read (Permission denied). Ask for permission to "
          + "read it, or try again.\n")
    }
  }

  @Test func `A key that is none, or isn't needed`() throws {
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.copyRealmFile("links", to: "links.realm")
    try Data("secret".utf8).write(to: folder.url("short.key"))
    try Data(count: 64).write(to: folder.url("whole.key"))
    func errors(_ file: String, _ key: String) throws -> String {
      let outcome = try Tool.run(["info", file, "--key-file", key], in: folder)
      expectTrue([65, 66].contains(outcome.status))
      return outcome.errors
    }
    try expectEqual(
      errors("links.realm", "none.key"),
      "strata: 'none.key': The file with the key can't be read. Check the path and its permissions.\n"
    )
    try expectEqual(
      errors("links.realm", "short.key"),
      "strata: 'short.key': This file of 6 bytes holds no key. Write the 64 bytes of the key into "
        + "it, or their 128 hexadecimal digits.\n")
    try expectEqual(
      errors("people.sqlite", "whole.key"),
      "strata: 'people.sqlite': This database of SQLite isn't encrypted. Leave out '--key-file'.\n"
    )
    try expectTrue(
      errors("links.realm", "whole.key").hasSuffix("isn't encrypted. Leave out '--key-file'.\n")
    )
  }

  @Test func `A file that Realm has open`() throws {
    try folder.copyRealmFile("links", to: "open.realm")
    // As Realm holds it while it has the file open.
    let descriptor = open(folder.url("open.realm.lock").path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    expectEqual(flock(descriptor, LOCK_SH), 0)
    for command in [["info", "open.realm"], ["convert", "open.realm", "new.sqlite"]] {
      let outcome = try Tool.run(command, in: folder)
      expectEqual(outcome.status, CommandStatus.temporary.rawValue, "\(outcome)")
      expectTrue(outcome.errors.hasPrefix("strata: '"))
    }
    try expectEqual(folder.names, ["open.realm", "open.realm.lock"])
  }

  @Test func `Names that would take over a terminal`() throws {
    try folder.copyFixture("PetOwners-v5", to: "good.sqlite")
    try folder.copyFixture("PetOwners-v5", to: "odd.sqlite")
    try folder.sql("odd.sqlite") {
      // In JSON: a name with ESC, a line break and a mark that turns the direction.
      try $0.execute(
        sql: "UPDATE strata_schema_version SET schema = replace(schema, 'Pet\"', ?)",
        arguments: ["P\\u001b[2J\\n\\u202Ee\""])
      try $0.execute(sql: "CREATE TABLE \"x\u{1B}[31m\" (y)")
    }
    let commands = [
      ["info"], ["schema"], ["schema", "--format", "mermaid"], ["schema", "--json"],
      ["schema", "--format", "swift"], ["history", "--changes"], ["check"],
      ["diff", "good.sqlite"],
      ["schema", "--class", "none\u{1B}"],
    ]
    for command in commands {
      let outcome = try Tool.run(command + ["odd.sqlite"], in: folder)
      expectTrue([0, 1, 65].contains(outcome.status), "\(command) \(outcome)")
      let text = outcome.output + outcome.errors
      expectFalse(text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(command)")
      expectFalse(text.isEmpty)
    }
  }
}
