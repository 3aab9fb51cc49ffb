import Foundation
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The program as a process, with commands that only read.
@Suite struct ReadingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v2", to: "old.sqlite")
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.copyRealmFile("links", to: "links.realm")
  }

  /// Runs a command that must succeed and change nothing.
  private func output(
    _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = try folder.contents()
    let outcome = try Tool.run(arguments, in: folder)
    expectEqual(outcome.errors, "", sourceLocation: sourceLocation)
    expectEqual(outcome.status, status, sourceLocation: sourceLocation)
    try expectEqual(folder.contents(), before, sourceLocation: sourceLocation)
    return outcome.output
  }

  private func json(_ arguments: [String], status: Int32 = 0) throws -> [String: Any] {
    let outcome = try Tool.run(arguments + ["--json"], in: folder)
    expectEqual(outcome.status, status)
    return try outcome.json()
  }

  @Test func `Reading leaves each byte as it was`() throws {
    let before = try folder.contents()
    for arguments in [
      ["info", "people.sqlite"], ["schema", "people.sqlite"], ["check", "people.sqlite"],
      ["history", "people.sqlite", "--changes"], ["diff", "people.sqlite", "people.sqlite"],
      ["query", "people.sqlite", "Person where age > 3"],
      ["export", "people.sqlite", "--class", "Pet"],
    ] {
      let outcome = try Tool.run(arguments, in: folder)
      expectEqual(outcome.status, 0, "\(arguments)")
      expectEqual(outcome.errors, "", "\(arguments)")
    }
    try expectEqual(folder.contents(), before)
  }

  @Test func `Objects that aren't counted have no number`() throws {
    let value = try json(["info", "people.sqlite", "--no-count"])
    expectTrue((value["classes"] as? [[String: Any]])?.first?["objects"] is NSNull)
    let library = value["sqlite"] as? [String: Any]
    expectEqual(library?["walResetFix"] as? Bool, SQLiteLibrary.current.hasWALResetFix)
  }

  @Test func `A file of Realm is described, whatever its name`() throws {
    try FileManager.default.moveItem(
      at: folder.url("links.realm"), to: folder.url("links.sqlite"))
    let text = try output("info", "links.sqlite")
    expectTrue(text.contains("kind            Realm, file format 24\n"))
    let value = try json(["info", "links.sqlite"])
    expectEqual(value["kind"] as? String, "realm")
    expectEqual(value["fileFormat"] as? Int, 24)
    let schema = try json(["schema", "links.sqlite"])
    let classes = try #require(schema["classes"] as? [[String: Any]])
    expectTrue(classes.contains { $0["kind"] as? String == "embedded" })
  }

  @Test func `An encrypted file of Realm is described with its key`() throws {
    try folder.copyRealmFile("encrypted", to: "locked.realm")
    try Data(64..<128).write(to: folder.url("wrong.key"))
    let missing = try Tool.run(["info", "locked.realm"], in: folder)
    expectEqual(missing.status, 65)
    expectTrue(missing.errors.contains("give its key with '--key-file'"))
    let wrong = try Tool.run(["info", "locked.realm", "--key-file", "wrong.key"], in: folder)
    expectEqual(wrong.status, 65)
    expectTrue(wrong.errors.hasSuffix("with which Realm opens it ('--key-file').\n"), "\(wrong)")
    let digits = (0..<64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try Data((digits + "\n").utf8).write(to: folder.url("right.key"))
    try expectTrue(
      output("info", "locked.realm", "--key-file", "right.key")
        .contains("encrypted       yes\n"))
    try expectTrue(
      output("schema", "locked.realm", "--key-file", "right.key", "--format", "mermaid")
        .hasPrefix("classDiagram\n"))
  }

  @Test func `An earlier version has the classes that it had`() throws {
    try folder.copyFixture("Books-v4", to: "books.sqlite")
    let outcome = try Tool.run(["schema", "books.sqlite", "--at", "9"], in: folder)
    expectEqual(outcome.status, 65)
    expectEqual(
      outcome.errors,
      "strata: 'books.sqlite': The file has never been at version 9. Its versions are 4.\n")
    try expectTrue(output("schema", "books.sqlite", "--at", "4").hasPrefix("Author\n"))
  }

  @Test func `A class that isn't there is named, with those that are`() throws {
    let outcome = try Tool.run(["schema", "people.sqlite", "--class", "Cat"], in: folder)
    expectEqual(outcome.status, 65)
    expectEqual(
      outcome.errors,
      "strata: 'people.sqlite': The file has no class 'Cat'. It has these: Address, Person, Pet.\n"
    )
  }

  @Test func `Facts for older programs are shown where the classes are`() throws {
    try folder.copyFixture("Orders-v3", to: "orders.sqlite")
    let facts = [
      "Order is called Purchase from version 3 on",
      "Purchase.customer is called buyer from version 3 on",
      "Purchase.currency: String was removed in version 3, and keeps its values",
      "Purchase.items: List<String> was removed in version 3, and keeps its values",
      "only programs from version 1 on may read the file",
      "only programs from version 1 on may write to the file",
    ]
    try expectTrue(
      output("schema", "orders.sqlite").hasSuffix(
        "\n\nfor older programs\n  " + facts.joined(separator: "\n  ") + "\n"))
    try expectFalse(output("schema", "orders.sqlite", "--at", "2").contains("older programs"))
    let text = try output("history", "orders.sqlite", "--changes")
    let added = facts.map { "    + \($0)\n" }.joined()
    expectTrue(text.hasSuffix("\n\n  ~ for older programs\n\(added)"), "\(text)")
    expectTrue(text.contains("changes  oldest reader  oldest writer\n"), "\(text)")
    let value = try json(["history", "orders.sqlite"])
    let versions = try #require(value["versions"] as? [[String: Any]])
    expectEqual(versions.map { $0["oldestWriter"] as? Int }, [nil, nil, 1])
    expectEqual(versions.map { ($0["retired"] as? [Any])?.count }, [0, 0, 2])
    try expectTrue(
      output("diff", "people.sqlite", "orders.sqlite", status: 1).contains("\n  + \(facts[0])\n"))
  }

  @Test func `What older programs can do with a file is said`() throws {
    let same = try Tool.run(["check", "people.sqlite", "--as", "people.sqlite"], in: folder)
    expectEqual(same.output, "Programs of version 5 may read and write the file.\n")
    expectEqual(same.status, 0)
    try folder.copyFixture("AddressBook-v4", to: "addresses.sqlite")
    let other = try Tool.run(["check", "people.sqlite", "--as", "addresses.sqlite"], in: folder)
    expectTrue(
      other.output.hasPrefix(
        "Programs of version 4 can't open the file.\n- Property 'Person.id' has been removed in version 5.\n"
      ),
      "\(other.output)")
    expectEqual(other.status, 1)
    let arguments = ["check", "people.sqlite", "--as", "addresses.sqlite", "--json"]
    let json = try Tool.run(arguments, in: folder)
    expectTrue(json.output.contains(#""use": "nothing""#), "\(json.output)")
    let missing = try Tool.run(["check", "people.sqlite", "--as", "9"], in: folder)
    expectEqual(missing.status, 65)
    expectEqual(
      missing.errors,
      "strata: 'people.sqlite': The file has never been at version 9. Its versions are 5.\n")
  }

  @Test func `Two files are compared`() throws {
    try expectEqual(output("diff", "old.sqlite", "people.sqlite", "--quiet", status: 1), "")
    try expectTrue(
      output("diff", "links.realm", "people.sqlite", status: 1).contains("- class Dog"))
    let value = try json(["diff", "old.sqlite", "people.sqlite"], status: 1)
    expectEqual(value["needsMigration"] as? Bool, true)
    expectEqual((value["differences"] as? [Any])?.count, 6)
  }

  @Test func `A file that another process writes to is read with what is in its WAL`() throws {
    // The index of a WAL has the marks of its readers, so only the other files stay as they are.
    func withoutIndex() throws -> [String: Data] {
      try folder.contents().filter { !$0.key.hasSuffix("-shm") }
    }
    try folder.withOpen(
      "people.sqlite", after: "INSERT INTO Pet (name, kind) VALUES ('A', 'cat')"
    ) {
      let before = try withoutIndex()
      for arguments in [["info"], ["schema"], ["history"], ["check"], ["diff", "people.sqlite"]] {
        let outcome = try Tool.run(arguments + ["people.sqlite"], in: folder)
        expectEqual(outcome.status, 0, "\(arguments) \(outcome)")
        try expectEqual(withoutIndex(), before)
      }
      let text = try Tool.run(["info", "people.sqlite"], in: folder).output
      expectTrue(text.contains("Pet      object             2        5\n"))
      expectTrue(text.contains("in its WAL"))
    }
  }

  @Test func `A file in a folder that may only be read is read`() throws {
    chmod(folder.url("people.sqlite").path, 0o444)
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    for arguments in [["info"], ["schema"], ["history"], ["check"], ["diff", "people.sqlite"]] {
      let outcome = try Tool.run(arguments + ["people.sqlite"], in: folder, asOther: true)
      expectEqual(outcome.status, 0, "\(arguments) \(outcome)")
    }
    try expectEqual(folder.names, ["links.realm", "old.sqlite", "people.sqlite"])
  }
}
