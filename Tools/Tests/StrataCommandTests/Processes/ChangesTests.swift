import Foundation
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// `strata changes` as a process.
@Suite struct ChangesTests {
  private let folder: CommandFolder
  private var file: URL { folder.url("people.sqlite") }

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    var configuration = Realm.Configuration(fileURL: folder.url("people.sqlite"))
    configuration.dynamicClasses = .all
    configuration.history = .init(author: "tests")
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.delete(realm.dynamicObjects("Pet").first!) }
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["changes"] + arguments, in: folder)
  }

  private func execute(_ sql: String) throws {
    try folder.execute(sql, in: "people.sqlite")
  }

  @Test func `Each byte of the file stays, and what is asked for is there`() throws {
    let before = try Data(contentsOf: file)
    let outcome = try run("people.sqlite")
    expectEqual(outcome.status, 0)
    expectTrue(outcome.output.contains("  Pet     1 deleted  1\n"))
    try expectEqual(run("people.sqlite", "--author", "nobody").output, "")
    try expectEqual(run("people.sqlite", "--limit", "1").output.split(separator: "\n").count, 1)
    try expectEqual(Data(contentsOf: file), before)
  }

  @Test func `What others commit is followed`() throws {
    let (process, output, _) = try following("people.sqlite")
    for kind in ["began", "write"] {
      expectEqual(line(of: output)?.contains("\"kind\":\"\(kind)\""), true)
    }
    try execute("UPDATE Person SET age = 99 WHERE _id = 1")
    let next = line(of: output) ?? ""
    expectTrue(next.contains("\"kind\":\"other\""))
    expectTrue(next.contains("\"properties\":[\"age\"]"))
    // Control-C may be ignored where the tests run in the background.
    process.terminate()
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 0)
  }

  @Test(arguments: ["people.sqlite", "people.replica"])
  func `What is committed after a migration is followed as well`(path: String) throws {
    func publish() throws {
      let published = try Tool.run(["publish", "people.sqlite", "people.replica"], in: folder)
      expectEqual(published.status, 0, "\(published.errors)")
    }
    try publish()
    let (process, output, errors) = try following(path)
    for _ in 0..<2 { _ = line(of: output) }
    try execute(
      """
      INSERT INTO strata_schema_version (version, schema, migrated_at)
      SELECT 6, schema, migrated_at FROM strata_schema_version WHERE version = 5
      """)
    for age in [98, 99] {
      try execute("UPDATE Person SET age = \(age) WHERE _id = 1")
      try publish()
      expectEqual(line(of: output)?.contains("\"properties\":[\"age\"]"), true)
    }
    process.terminate()
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 0)
    expectEqual(
      String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), "")
  }

  @Test(arguments: [true, false]) func `Following ends when the file is gone`(
    isReplaced: Bool
  ) throws {
    let (process, output, errors) = try following("people.sqlite")
    for _ in 0..<2 { _ = line(of: output) }
    let path = folder.url("people.sqlite").path
    expectEqual(unlink(path), 0)
    if isReplaced { try folder.copyFixture("PetOwners-v5", to: "people.sqlite") }
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 66)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    expectTrue(text.contains("was deleted, moved or replaced while it was open"), "\(text)")
  }

  /// A process that follows the changes of a file. A line that never comes, or an end, fails the
  /// test after a minute.
  private func following(
    _ path: String
  ) throws -> (process: Process, output: Pipe, errors: Pipe) {
    let (output, errors) = (Pipe(), Pipe())
    let process = Tool.process(
      ["changes", path, "--follow", "--json"], in: folder, output: output, errors: errors)
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
      if process.isRunning { process.terminate() }
    }
    return (process, output, errors)
  }

  /// The next line that a process writes; nil when it has ended.
  private func line(of output: Pipe) -> String? {
    var bytes: [UInt8] = []
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  @Test func `The folder of a replica has the history of its version`() throws {
    try expectEqual(Tool.run(["publish", "people.sqlite", "people.replica"], in: folder).status, 0)
    try expectEqual(run("people.replica").output, run("people.sqlite").output)
  }

  @Test func `Mistakes are told`() throws {
    try expectTrue(
      run("people.sqlite", "--after", "abc").errors.contains(
        "'abc' is no token of a history."))
    try expectEqual(run("people.sqlite", "--limit", "0").status, 64)
    try expectEqual(run("people.sqlite", "--consumers", "--follow").status, 64)
    try folder.copyFixture("PetOwners-v5", to: "plain.sqlite")
    try expectEqual(
      run("plain.sqlite"),
      Tool.Outcome(
        status: 65, output: "",
        errors:
          "strata: 'plain.sqlite': The file keeps no history. Set 'history' in the configuration of "
          + "the program that writes to it.\n"))
    try expectEqual(run("missing.sqlite").status, 66)
  }
}
