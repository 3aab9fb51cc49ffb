import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process, with commands that write.
@Suite struct CopyingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  private func pets(_ name: String) throws -> Int? {
    try folder.sql(name) { try Int.fetchOne($0, sql: "SELECT count(*) FROM Pet") }
  }

  private func deletePets(_ name: String) throws {
    try folder.execute("DELETE FROM Pet", in: name)
  }

  @Test func `A file is copied, and the copy is put back where that was said`() throws {
    try expectEqual(run("backup", "people.sqlite", "copy.sqlite").status, 0)
    // No file is written over.
    let copy = try Data(contentsOf: folder.url("copy.sqlite"))
    try deletePets("people.sqlite")
    try expectEqual(
      run("backup", "people.sqlite", "copy.sqlite").status, CommandStatus.cannotCreate.rawValue)
    try expectEqual(
      run("restore", "copy.sqlite", "people.sqlite").status, CommandStatus.cannotCreate.rawValue)
    try expectEqual(Data(contentsOf: folder.url("copy.sqlite")), copy)
    try expectEqual(pets("people.sqlite"), 0)
    let same = try run("restore", "people.sqlite", "./people.sqlite", "--replace")
    expectEqual(same.status, CommandStatus.usage.rawValue)
    let restored = try run("restore", "copy.sqlite", "people.sqlite", "--replace")
    expectEqual(restored.status, 0)
    expectEqual(restored.errors, "")
    try expectEqual(pets("people.sqlite"), 4)
    try expectEqual(folder.names, ["copy.sqlite", "people.sqlite"])
  }

  @Test func `A copy has what is in the WAL of an open file`() throws {
    try folder.withOpen(
      "people.sqlite", after: "INSERT INTO Pet (name, kind) VALUES ('A', 'cat')"
    ) {
      try expectEqual(run("backup", "people.sqlite", "copy.sqlite").status, 0)
      try expectEqual(pets("copy.sqlite"), 5)
    }
  }

  @Test func `A copy gets a name of its own in a folder, or in that of migrations`() throws {
    try FileManager.default.createDirectory(
      at: folder.url("copies"), withIntermediateDirectories: false)
    try expectEqual(run("backup", "people.sqlite", "copies").status, 0)
    try expectEqual(run("backup", "people.sqlite", "new/").status, 0)
    try expectEqual(run("backup", "people.sqlite").status, 0)
    for place in ["copies", "new", "people-backups"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url(place).path)
      expectEqual(names.count, 1)
      expectTrue(names.first?.wholeMatch(of: /people-v5-\d{8}T\d{6}\.\d{3}Z\.sqlite/) != nil)
    }
  }

  @Test func `What a command writes to a link is where the link leads`() throws {
    let commands = [
      ["backup", "people.sqlite"], ["export", "people.sqlite", "--class", "Pet", "-o"],
    ]
    for (number, command) in commands.enumerated() {
      let link = folder.url("link\(number)").path
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: "new\(number)")
      let outcome = try Tool.run(command + ["link\(number)"], in: folder)
      expectEqual(outcome.status, 0, "\(outcome)")
      try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: link), "new\(number)")
      expectTrue(FileManager.default.fileExists(atPath: folder.url("new\(number)").path))
    }
    try expectEqual(folder.names.count, 5)
  }

  @Test func `JSON says what was copied`() throws {
    let value = try run("backup", "people.sqlite", "copy.sqlite", "--json").json()
    expectEqual(value["backup"] as? String, "copy.sqlite")
    expectEqual(value["schemaVersion"] as? Int, 5)
    expectEqual(value["bytes"] as? Int, 45_056)
    try expectEqual(run("restore", "copy.sqlite", "new.sqlite", "--quiet").output, "")
    try expectEqual(pets("new.sqlite"), 4)
  }

  @Test func `A copy that isn't sound is not put in the place of a file`() throws {
    var bytes = try Data(contentsOf: folder.url("people.sqlite"))
    for index in 8192..<bytes.count { bytes[index] = 0xFF }
    try bytes.write(to: folder.url("copy.sqlite"))
    let before = try Data(contentsOf: folder.url("people.sqlite"))
    let outcome = try run("restore", "copy.sqlite", "people.sqlite", "--replace")
    expectEqual(outcome.status, CommandStatus.data.rawValue, "\(outcome)")
    try expectEqual(Data(contentsOf: folder.url("people.sqlite")), before)
  }

  @Test func `A damaged file is restored`() throws {
    try expectEqual(run("backup", "people.sqlite", "copy.sqlite").status, 0)
    try Data(repeating: 0xFF, count: 8192).write(to: folder.url("people.sqlite"))
    try expectEqual(run("restore", "copy.sqlite", "people.sqlite", "--replace").status, 0)
    try expectEqual(pets("people.sqlite"), 4)
  }

  @Test func `A folder that isn't there, or may not be written, is an error`() throws {
    let missing = try run("backup", "people.sqlite", "none/copy.sqlite")
    expectEqual(missing.status, CommandStatus.cannotCreate.rawValue)
    expectEqual(
      missing.errors,
      "strata: 'none/copy.sqlite': There is no folder for the file. Make the folder first, or correct "
        + "the path.\n")
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    let outcome = try Tool.run(
      ["backup", "people.sqlite", "copy.sqlite"], in: folder, asOther: true)
    expectEqual(outcome.status, CommandStatus.noPermission.rawValue, "\(outcome)")
    try expectEqual(folder.names, ["people.sqlite"])
  }
}
