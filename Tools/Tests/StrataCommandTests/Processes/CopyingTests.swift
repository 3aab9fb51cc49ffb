import Foundation
import GRDB
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
    let queue = try DatabaseQueue(path: folder.url(name).path)
    defer { #expect(throws: Never.self) { try queue.close() } }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Pet") }
  }

  private func deletePets(_ name: String) throws {
    let queue = try DatabaseQueue(path: folder.url(name).path)
    try queue.write { try $0.execute(sql: "DELETE FROM Pet") }
    try queue.close()
  }

  @Test func `A file is copied, and the copy is put back`() throws {
    let copied = try run("backup", "people.sqlite", "copy.sqlite")
    #expect(
      copied
        == Tool.Outcome(
          status: 0, output: "Copied people.sqlite to copy.sqlite: version 5, 45.1 kB\n", errors: ""
        ))
    try deletePets("people.sqlite")
    let restored = try run("restore", "copy.sqlite", "people.sqlite", "--replace")
    #expect(restored.output == "Restored copy.sqlite to people.sqlite: version 5, 45.1 kB\n")
    #expect(restored.status == 0)
    #expect(try pets("people.sqlite") == 4)
    #expect(try folder.names == ["copy.sqlite", "people.sqlite"])
  }

  @Test func `A copy has what is in the WAL of an open file`() throws {
    let queue = try DatabaseQueue(path: folder.url("people.sqlite").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA journal_mode = WAL; INSERT INTO Pet (name, kind) VALUES ('A', 'cat')")
    }
    #expect(try run("backup", "people.sqlite", "copy.sqlite").status == 0)
    #expect(try pets("copy.sqlite") == 5)
    try queue.close()
  }

  @Test func `A copy gets a name of its own in a folder, or in that of migrations`() throws {
    try FileManager.default.createDirectory(
      at: folder.url("copies"), withIntermediateDirectories: false)
    #expect(try run("backup", "people.sqlite", "copies").status == 0)
    #expect(try run("backup", "people.sqlite", "new/").status == 0)
    #expect(try run("backup", "people.sqlite").status == 0)
    for place in ["copies", "new", "people-backups"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url(place).path)
      #expect(names.count == 1)
      #expect(names.first?.wholeMatch(of: /people-v5-\d{8}T\d{6}\.\d{3}Z\.sqlite/) != nil)
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
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new\(number)")
      #expect(FileManager.default.fileExists(atPath: folder.url("new\(number)").path))
    }
    #expect(try folder.names.count == 5)
  }

  @Test func `JSON says what was copied`() throws {
    let outcome = try run("backup", "people.sqlite", "copy.sqlite", "--json")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(value?["backup"] as? String == "copy.sqlite")
    #expect(value?["schemaVersion"] as? Int == 5)
    #expect(value?["bytes"] as? Int == 45_056)
    #expect(try run("restore", "copy.sqlite", "new.sqlite", "--quiet").output == "")
    #expect(try pets("new.sqlite") == 4)
  }

  @Test func `A file that is there is never written over by a copy`() throws {
    try Data("mine".utf8).write(to: folder.url("copy.sqlite"))
    let outcome = try run("backup", "people.sqlite", "copy.sqlite")
    #expect(outcome.status == CommandStatus.cannotCreate.rawValue)
    #expect(
      outcome.errors
        == "strata: 'copy.sqlite': There is a file already. Delete it first, or choose another name.\n"
    )
    #expect(try Data(contentsOf: folder.url("copy.sqlite")) == Data("mine".utf8))
  }

  @Test func `A file is replaced only when that was said`() throws {
    #expect(try run("backup", "people.sqlite", "copy.sqlite").status == 0)
    try deletePets("people.sqlite")
    let outcome = try run("restore", "copy.sqlite", "people.sqlite")
    #expect(outcome.status == CommandStatus.cannotCreate.rawValue)
    #expect(
      outcome.errors
        == "strata: 'people.sqlite': There is a file already. Add '--replace' to replace it; "
        + "'strata backup' makes a copy of it first.\n")
    #expect(try pets("people.sqlite") == 0)
    let same = try run("restore", "people.sqlite", "./people.sqlite", "--replace")
    #expect(same.status == CommandStatus.usage.rawValue)
  }

  @Test func `A copy that isn't sound is not put in the place of a file`() throws {
    var bytes = try Data(contentsOf: folder.url("people.sqlite"))
    for index in 8192..<bytes.count { bytes[index] = 0xFF }
    try bytes.write(to: folder.url("copy.sqlite"))
    let before = try Data(contentsOf: folder.url("people.sqlite"))
    let outcome = try run("restore", "copy.sqlite", "people.sqlite", "--replace")
    #expect(outcome.status == CommandStatus.data.rawValue, "\(outcome)")
    #expect(try Data(contentsOf: folder.url("people.sqlite")) == before)
  }

  @Test func `A damaged file is restored`() throws {
    #expect(try run("backup", "people.sqlite", "copy.sqlite").status == 0)
    try Data(repeating: 0xFF, count: 8192).write(to: folder.url("people.sqlite"))
    #expect(try run("restore", "copy.sqlite", "people.sqlite", "--replace").status == 0)
    #expect(try pets("people.sqlite") == 4)
  }

  @Test func `A folder that isn't there, or may not be written, is an error`() throws {
    let missing = try run("backup", "people.sqlite", "none/copy.sqlite")
    #expect(missing.status == CommandStatus.cannotCreate.rawValue)
    #expect(
      missing.errors
        == "strata: 'none/copy.sqlite': There is no folder for the file. Make the folder first, or correct "
        + "the path.\n")
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    let outcome = try Tool.run(
      ["backup", "people.sqlite", "copy.sqlite"], in: folder, asOther: true)
    #expect(outcome.status == CommandStatus.noPermission.rawValue, "\(outcome)")
    #expect(try folder.names == ["people.sqlite"])
  }
}
