import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process that converts files of Realm.
@Suite struct ConvertingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyRealmFile("links", to: "links.realm")
    try folder.copyRealmFile("all-types", to: "types.realm")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["convert"] + arguments, in: folder)
  }

  private static let everything = [
    "--nan", "nil-or-zero", "--dates", "clamp", "--invalid-text", "repair",
    "--nested-collections", "nil", "--asymmetric-classes", "leave-out",
  ]

  @Test(arguments: [
    "all-types", "compacted", "empty-schema", "encrypted", "evolved", "links", "many", "mixed",
    "never-written", "older-10", "older-22", "primary-keys", "strings", "tombstones",
    "upgraded-9", "upgraded-10-used", "upgraded-20-tombstones", "upgraded-20-used",
    "upgraded-22-used", "upgraded-23-used", "upgraded-studio",
  ])
  func `A file of Realm becomes a sound file of Strata with the same classes`(name: String) throws {
    try folder.copyRealmFile(name, to: "old.realm")
    var key: [String] = []
    if name == "encrypted" {
      try Data(0..<64).write(to: folder.url("key.bin"))
      key = ["--key-file", "key.bin"]
    }
    let before = try Data(contentsOf: folder.url("old.realm"))
    let names = try folder.names
    let outcome = try Tool.run(
      ["convert", "old.realm", "new.sqlite", "--quiet"] + Self.everything + key, in: folder)
    expectEqual(outcome, Tool.Outcome(status: 0, output: "", errors: ""))
    try expectEqual(Data(contentsOf: folder.url("old.realm")), before)
    try expectEqual(folder.names, (names + ["new.sqlite"]).sorted())
    try expectTrue(
      Tool.run(["check", "new.sqlite"], in: folder).output
        .hasPrefix("new.sqlite: no problems\n"))
    let difference = try Tool.run(["diff", "old.realm", "new.sqlite"] + key, in: folder)
    expectTrue(difference.output.hasSuffix("The classes are the same.\n"), "\(difference)")
  }

  @Test func `The studio changes no file of Realm, and says so at once`() throws {
    try folder.copyRealmFile("encrypted", to: "encrypted.realm")
    try Data(0..<64).write(to: folder.url("key.bin"))
    for arguments in [["links.realm"], ["encrypted.realm", "--key-file", "key.bin"]] {
      let outcome = try Tool.run(
        ["studio", "--write", "--no-open", "--quiet"] + arguments, in: folder)
      expectEqual(outcome.status, 64)
      expectEqual(outcome.output, "")
      expectEqual(
        outcome.errors,
        """
        strata: '\(arguments[0])': A file of Realm is only read. Make a file of Strata of it with \
        'strata convert', or leave out '--write'.

        """)
    }
  }

  @Test func `The report counts what was written`() throws {
    let outcome = try run("links.realm", "new.sqlite")
    expectEqual(outcome.status, 0)
    expectEqual(outcome.errors, "")
    expectTrue(
      outcome.output.hasPrefix(
        "Converted links.realm (format 24) to new.sqlite at schema version 3, in "))
    expectTrue(outcome.output.contains("\nall classes "))
    let people = try folder.sql("new.sqlite") {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM Person")
    }
    let value = try run("links.realm", "again.sqlite", "--json").json()
    let classes = try #require(value["classes"] as? [[String: Any]])
    let person = try #require(classes.first { $0["name"] as? String == "Person" })
    expectEqual((person["written"] as? [String: Int])?["objects"], people)
    for item in classes {
      expectEqual(item["read"] as? [String: Int], item["written"] as? [String: Int], "\(item)")
    }
    expectEqual(value["target"] as? String, "again.sqlite")
  }

  @Test func `What can't be held is refused with the options that repair it`() throws {
    let before = try folder.contents()
    let outcome = try run("types.realm", "new.sqlite")
    expectEqual(outcome.status, CommandStatus.data.rawValue)
    expectEqual(outcome.output, "")
    expectTrue(
      outcome.errors.hasPrefix(
        "strata: 'types.realm': The file has data that a file of Strata can't store. Nothing was "
          + "written.\n- Lists.listFloat of object 1: a number that is NaN\n"), "\(outcome.errors)")
    expectTrue(
      outcome.errors.contains(
        "\n  Add '--dates clamp', or '--dates nil' for optional properties.\n"))
    try expectEqual(folder.contents(), before)
  }

  @Test func `A dry run reads everything and writes nothing`() throws {
    let before = try folder.contents()
    let possible = try run("links.realm", "new.sqlite", "--dry-run")
    expectEqual(possible.status, 0)
    expectTrue(possible.output.contains("can be converted to new.sqlite at schema version 3."))
    let obstacles = try run(
      "types.realm", "new.sqlite", "--dry-run", "--json", "--nan", "nil-or-zero")
    expectEqual(obstacles.status, 1)
    let value = try obstacles.json()
    expectEqual(value["converted"] as? Bool, false)
    expectEqual((value["obstacles"] as? [[String: Any]])?.map { $0["kind"] as? String }, ["date"])
    expectEqual((value["changed"] as? [[String: Any]])?.map { $0["kind"] as? String }, ["nan"])
    try expectEqual(folder.contents(), before)
  }

  @Test func `A file that is there is never written over`() throws {
    try Data("mine".utf8).write(to: folder.url("new.sqlite"))
    let outcome = try run("links.realm", "new.sqlite")
    expectEqual(outcome.status, CommandStatus.cannotCreate.rawValue)
    expectEqual(
      outcome.errors,
      "strata: 'new.sqlite': There is a file already. Delete it first, or choose another name.\n"
    )
    try expectEqual(Data(contentsOf: folder.url("new.sqlite")), Data("mine".utf8))
    try expectEqual(
      run("links.realm", "none/new.sqlite").status, CommandStatus.cannotCreate.rawValue)
  }

  @Test func `A file that is none of Realm is refused`() throws {
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try Data("# People\n".utf8).write(to: folder.url("text.realm"))
    try Data().write(to: folder.url("empty.realm"))
    try Data(contentsOf: folder.url("links.realm")).prefix(3_000).write(
      to: folder.url("half.realm"))
    let before = try folder.contents()
    func errors(_ name: String) throws -> String {
      let outcome = try run(name, "new.sqlite")
      expectEqual(outcome.status, CommandStatus.data.rawValue)
      return outcome.errors
    }
    try expectEqual(
      errors("people.sqlite"),
      "strata: 'people.sqlite': This is a database of SQLite already, and no file of Realm. Give the "
        + "path of a file that Realm wrote, which usually ends with '.realm'.\n")
    try expectEqual(
      errors("empty.realm"),
      "strata: 'empty.realm': The file is empty. Check the path, or restore the file from a backup.\n"
    )
    try expectTrue(
      errors("text.realm").contains("neither an SQLite database nor a readable file of Realm"))
    try expectTrue(errors("half.realm").contains("The end of the file is missing"))
    try expectEqual(run("none.realm", "new.sqlite").status, CommandStatus.noInput.rawValue)
    try expectEqual(folder.contents(), before)
  }

  @Test func `A new file that is not encrypted as the old one is says so`() throws {
    try folder.copyRealmFile("encrypted", to: "locked.realm")
    try Data(0..<64).write(to: folder.url("key.bin"))
    let end = "\nThe new file is not encrypted. Use '--new-key-file' to encrypt it.\n"
    let choices = ["--nan", "nil-or-zero", "--dates", "clamp", "--key-file", "key.bin"]
    let forecast = try Tool.run(
      ["convert", "locked.realm", "new.sqlite", "--dry-run"] + choices, in: folder)
    expectTrue(forecast.output.hasSuffix(end), "\(forecast)")
    let converted = try Tool.run(["convert", "locked.realm", "new.sqlite"] + choices, in: folder)
    expectTrue(converted.output.hasSuffix(end), "\(converted)")
    let plain = try run("links.realm", "plain.sqlite")
    expectFalse(plain.output.contains("not encrypted"), "\(plain)")
  }

  @Test func `An encrypted file needs its key`() throws {
    try folder.copyRealmFile("encrypted", to: "locked.realm")
    try Data(64..<128).write(to: folder.url("wrong.key"))
    let wrong = try run("locked.realm", "new.sqlite", "--key-file", "wrong.key")
    expectEqual(wrong.status, CommandStatus.data.rawValue)
    expectTrue(
      wrong.errors.hasSuffix(
        "Give the file with the 64 bytes with which Realm opens it ('--key-file').\n"), "\(wrong)")
    let plain = try run("links.realm", "new.sqlite", "--key-file", "wrong.key")
    expectTrue(plain.errors.hasSuffix("isn't encrypted. Leave out '--key-file'.\n"), "\(plain)")
    try expectFalse(folder.names.contains("new.sqlite"))
  }

  #if os(Linux)
    @Test func `A terminal shows how far it is, and takes it back`() throws {
      let shown = try Terminal().errors(
        of: ["convert", "links.realm", "new.sqlite"], in: folder)
      expectTrue(shown.hasPrefix("\rConverting ["))
      expectTrue(shown.hasSuffix("\r\u{1B}[K"))
      let quiet = try Terminal().errors(
        of: ["convert", "links.realm", "quiet.sqlite", "--quiet"], in: folder)
      expectEqual(quiet, "")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `Control-C, a supervisor and a closed terminal end it, and nothing stays behind`(
      number: Int32
    ) throws {
      // Another process is converting to the same place, so this one waits.
      let lock = folder.url("new.sqlite.converting-lock")
      let descriptor = open(lock.path, O_RDWR | O_CREAT, 0o600)
      defer { close(descriptor) }
      expectEqual(flock(descriptor, LOCK_EX), 0)
      let errors = Pipe()
      // A background process may ignore these signals, and its child processes would inherit that.
      let process = Tool.process(
        [
          "--default-signal=INT,TERM,HUP", Tool.executable.path, "convert", "links.realm",
          "new.sqlite",
        ], of: URL(fileURLWithPath: "/usr/bin/env"), in: folder, errors: errors)
      try process.run()
      try expectTrue(blockUntil { try Self.catchesInterrupts(process.processIdentifier) })
      kill(process.processIdentifier, number)
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      expectEqual(process.terminationReason, .exit)
      expectEqual(process.terminationStatus, CommandStatus.interrupted.rawValue)
      expectEqual(
        String(decoding: text, as: UTF8.self), "strata: Interrupted. Nothing was written.\n")
      unlink(lock.path)
      try expectEqual(folder.names, ["links.realm", "types.realm"])
    }

    /// Whether a process has a handler for Control-C by now.
    private static func catchesInterrupts(_ process: pid_t) throws -> Bool {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let mask = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap {
        UInt64($0.output.1, radix: 16)
      }
      return (try #require(mask)) & (1 << UInt64(SIGINT - 1)) != 0
    }
  #endif
}
