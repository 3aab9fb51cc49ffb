import Foundation
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// The import of objects from CSV and JSON, by a user and by a script.
@Suite struct ImportingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(["import"] + arguments, in: folder)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url(name))
  }

  private func pets() throws -> String {
    try Tool.run(["export", "people.sqlite", "--class", "Pet"], in: folder).output
  }

  @Test func `A dry run says the same as the import, and changes nothing`() throws {
    try write("name,kind,other\nRex,dog,1\n\"\",cat,2\n,bird,3\n", to: "pets.csv")
    let before = try pets()
    let dry = try run("people.sqlite", "pets.csv", "--class", "Pet", "--dry-run")
    expectEqual(
      dry,
      Tool.Outcome(
        status: 0, output: "3 of 3 rows are fine\ncolumn left out: 'other'\n", errors: ""))
    try expectEqual(pets(), before)
    let real = try run("people.sqlite", "pets.csv", "--class", "Pet")
    expectEqual(
      real.output, "people.sqlite: 3 of 3 rows were imported into Pet\ncolumn left out: 'other'\n")
    try expectEqual(pets(), before + "5,Rex,dog\n6,\"\",cat\n7,\"\",bird\n")
    try expectEqual(Tool.run(["check", "people.sqlite"], in: folder).status, 0)
    try expectEqual(folder.names.filter { $0.hasSuffix("-backups") }, [])
  }

  @Test(arguments: ["csv", "json", "ndjson"])
  func `An export with identities is imported beside a property 'id'`(format: String) throws {
    try folder.copyFixture("AddressBook-v4", to: "book.sqlite")
    func export(_ name: String) throws -> String {
      let outcome = try Tool.run(
        ["export", "book.sqlite", "--class", "Person", "--format", format, "-o", name], in: folder)
      expectEqual(outcome.status, 0)
      return try String(contentsOf: folder.url(name), encoding: .utf8)
    }
    let before = try export("before")
    expectTrue(before.contains("_id"))
    let result = try run("book.sqlite", "before", "--class", "Person")
    expectEqual(result.status, 0)
    expectFalse(result.output.contains("left out"))
    // Each object twice, but for its identity.
    let rows = try Tool.run(["export", "book.sqlite", "--class", "Person"], in: folder).output
      .split(separator: "\n").dropFirst().map { $0.drop { $0 != "," } }
    expectTrue(rows.count > 1)
    expectTrue(Dictionary(grouping: rows) { $0 }.values.allSatisfy { $0.count.isMultiple(of: 2) })
  }

  @Test func `Nil of JSON is no text`() throws {
    try write(#"[{"name":"Rex","kind":"dog"},{"name":null,"kind":"cat"}]"#, to: "pets.json")
    let result = try run("people.sqlite", "pets.json", "--class", "Pet", "--dry-run")
    expectEqual(result.status, 1)
    expectTrue(result.output.contains("1 of 2 rows are fine"))
    expectTrue(result.output.contains("It can't be nil."))
  }

  @Test func `What is to be updated needs a primary key`() throws {
    try write("name,kind\nRex,dog\n", to: "pets.csv")
    let result = try run("people.sqlite", "pets.csv", "--class", "Pet", "--update")
    expectEqual(
      result,
      Tool.Outcome(
        status: 65, output: "",
        errors: """
          strata: 'pets.csv': 'Pet' has no primary key, which is needed to find existing \
          objects. Import without updating them.

          """))
  }

  @Test func `A row with a mistake is left out, and the status is 1`() throws {
    try write(
      "\u{FEFF}{\"fullName\":\"A\",\"age\":\"ten\"}\r\n{\"fullName\":\"B\",\"age\":3,\"pets\":[1,4]}\r\n",
      to: "people.ndjson")
    for (arguments, line) in [
      (["--dry-run"], "1 of 2 rows are fine"),
      ([], "people.sqlite: 1 of 2 rows were imported into Person"),
    ] {
      let result = try Tool.run(
        ["import", "people.sqlite", "people.ndjson", "--class", "Person"] + arguments, in: folder)
      expectEqual(result.status, 1)
      expectEqual(result.output, "\(line)\nline 1, age: 'ten' is no Int.\n")
    }
    let json = try run(
      "people.sqlite", "people.ndjson", "--class", "Person", "--dry-run", "--json")
    expectEqual(json.status, 1)
    expectTrue(json.output.contains("\"rows\": 2,\n  \"ready\": 1,\n  \"problems\": ["))
    let quiet = try run(
      "people.sqlite", "people.ndjson", "--class", "Person", "--dry-run", "--quiet")
    expectEqual(quiet, Tool.Outcome(status: 1, output: "", errors: ""))
  }

  @Test func `The first 20 mistakes are listed`() throws {
    try write(
      "[\(String(repeating: "{\"age\":\"x\"},", count: 29)){\"age\":\"x\"}]", to: "people.json")
    let result = try run("people.sqlite", "people.json", "--class", "Person", "--dry-run")
    let lines = result.output.split(separator: "\n")
    expectEqual(lines.count, 21)
    expectEqual(lines.first, "0 of 30 rows are fine")
    expectEqual(lines.last, "object 20, age: 'x' is no Int.")
  }

  @Test func `Columns have other names, and nil another text`() throws {
    try write("Pet name,sort,kind\nNULL,NULL,x\n", to: "pets.csv")
    let result = try run(
      "people.sqlite", "pets.csv", "--class", "Pet", "--map", "Pet name=name", "--map",
      "sort=kind", "--map", "kind=", "--nil", "NULL", "--backup")
    expectEqual(result.status, 0)
    let lines = result.output.split(separator: "\n")
    expectTrue(lines[0].hasPrefix("copied before: people-backups/people-v5-"))
    expectEqual(lines[1], "people.sqlite: 1 of 1 row was imported into Pet")
    expectEqual(lines[2], "column left out: 'kind'")
    try expectTrue(pets().hasSuffix("\n5,\"\",\"\"\n"))
    try expectTrue(folder.names.contains("people-backups"))
  }

  @Test(arguments: [
    (["--class", "Nobody"], 64, "people.sqlite': The file has no class 'Nobody'. It has: "),
    (["--class", "Address"], 65, "in.csv': 'Address' is an embedded class"),
    (
      ["--class", "Pet", "--map", "x=kind"], 65,
      "in.csv': The file has no column 'x'. Its columns are: name, kind."
    ),
    (
      ["--class", "Pet", "--map", "name=x"], 64,
      "people.sqlite': The class 'Pet' has no property 'x'. 'strata schema' shows what the file has."
    ),
    (["--class", "Pet", "--map", "name=kind"], 65, "in.csv': Two columns are for 'kind'."),
    (["--class", "Pet", "--format", "json"], 65, "in.csv': The file is no JSON: byte 0 "),
  ])
  func `A mistake of the whole import changes nothing`(
    arguments: [String], status: Int32, message: String
  ) throws {
    try write("name,kind\na,b\n", to: "in.csv")
    let before = try pets()
    let result = try Tool.run(["import", "people.sqlite", "in.csv"] + arguments, in: folder)
    expectEqual(result.status, status)
    expectEqual(result.output, "")
    expectTrue(result.errors.hasPrefix("strata: '\(message)"), "\(result.errors)")
    try expectEqual(pets(), before)
  }

  @Test func `Only a file of Strata gets objects`() throws {
    try write("name\na\n", to: "in.csv")
    try folder.copyRealmFile("all-types", to: "default.realm")
    try expectEqual(run("default.realm", "in.csv", "--class", "Required").status, 65)
    try expectEqual(run("people.sqlite", "no.csv", "--class", "Pet").status, 66)
    try expectEqual(run("no.sqlite", "in.csv", "--class", "Pet").status, 66)
    try expectEqual(run("people.sqlite", "in.csv", "--class", "Pet", "--map", "x").status, 64)
  }

  @Test func `Embedded objects are objects of JSON, and counted`() throws {
    try write(
      """
      {"fullName":"A","address":{"street":"Main","city":"Oslo"}}
      {"fullName":"B","address":{"street":"Main","city":5}}
      {"fullName":"C"}

      """, to: "people.ndjson")
    let problem = "line 2, address: 'city': '5' is no String.\n"
    for (arguments, line) in [
      (["--dry-run"], "2 of 3 rows are fine"),
      ([], "people.sqlite: 2 of 3 rows were imported into Person"),
    ] {
      let result = try Tool.run(
        ["import", "people.sqlite", "people.ndjson", "--class", "Person"] + arguments, in: folder)
      expectEqual(result.output, "\(line)\nembedded in them: 1 Address\n\(problem)")
    }
    try expectEqual(
      Tool.run(
        ["query", "people.sqlite", "Person where address.city == 'Oslo'", "--count"], in: folder
      ).output, "1\n")
  }

  @Test func `The file itself is no input`() throws {
    let before = try folder.contents()
    try FileManager.default.createSymbolicLink(
      at: folder.url("link.csv"), withDestinationURL: folder.url("people.sqlite"))
    for input in ["people.sqlite", "link.csv"] {
      let result = try run("people.sqlite", input, "--class", "Pet")
      expectEqual(result.status, 65)
      expectEqual(
        result.errors,
        "strata: '\(input)': It is a part of the file that gets the objects. Give a file with CSV "
          + "or JSON.\n")
    }
    try expectEqual(folder.contents().filter { $0.key != "link.csv" }, before)
  }

  @Test func `The WAL of a file that is behind a link is no input`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("shown.sqlite").path, withDestinationPath: "people.sqlite")
    try folder.withOpen("people.sqlite", after: "DELETE FROM Pet WHERE _id = 1") {
      for part in ["people.sqlite", "people.sqlite-wal", "people.sqlite-shm"] {
        let result = try run("shown.sqlite", part, "--class", "Pet")
        expectEqual(result.status, 65)
        expectEqual(
          result.errors,
          "strata: '\(part)': It is a part of the file that gets the objects. Give a file with CSV "
            + "or JSON.\n")
      }
    }
  }

  @Test(arguments: ["csv", "json"])
  func `A large file takes little memory`(format: String) throws {
    let text = Data(repeating: UInt8(ascii: "x"), count: 20_000)
    let count = 800
    let (start, middle, end) =
      format == "csv" ? ("", ",", "\n") : ("{\"name\":\"", "\",\"kind\":\"", "\"}\n")
    var input = Data((format == "csv" ? "name,kind\n" : "[").utf8)
    for number in 0..<count {
      let comma = format == "json" && number > 0 ? "," : ""
      input += Data((comma + start).utf8) + text + Data((middle + "\(number)" + end).utf8)
    }
    if format == "json" { input += Data("]".utf8) }
    expectTrue(input.count > 16_000_000)
    try input.write(to: folder.url("pets.\(format)"))
    let process = Tool.process(
      ["import", "people.sqlite", "pets.\(format)", "--class", "Pet", "--quiet"], in: folder)
    try process.run()
    var most = 0
    while process.isRunning {
      most = max(most, Tool.peakMemory(of: process))
      usleep(5000)
    }
    expectEqual(process.terminationStatus, 0)
    expectTrue(most > 10_000)
    // It is 63,000. All of the input and its texts would be 32,000 more.
    expectTrue(most < 80_000, "\(most) kB")
    try expectEqual(
      Tool.run(["query", "people.sqlite", "Pet", "--count"], in: folder).output, "\(count + 4)\n")
  }

  // MARK: Round trips

  private final class Author: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var born: Date?
    @Persisted var remark: String?
    override class func _realmObjectName() -> String? { "Author" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test(arguments: ["csv", "json", "ndjson"])
  func `An export that is imported into an empty file gives the same export`(
    format: String
  ) throws {
    for name in ["a.sqlite", "b.sqlite"] {
      let configuration = Realm.Configuration(
        fileURL: folder.url(name), objectTypes: [Author.self])
      let realm = try Realm(configuration: configuration)
      guard name == "a.sqlite" else { continue }
      try realm.write {
        let born = Date(timeIntervalSince1970: 0.25)
        realm.create(Author.self, value: ["name": "Ada, \"A\"\n", "born": born])
        realm.create(Author.self, value: ["name": "", "remark": " =1+1 "])
        realm.create(Author.self, value: ["name": "Bob", "remark": ""])
      }
    }
    func export(_ file: String) throws -> String {
      try Tool.run(["export", file, "--class", "Author", "--format", format], in: folder).output
    }
    let exported = try export("a.sqlite")
    try write(exported, to: "out")
    let imported = try run("b.sqlite", "out", "--class", "Author")
    expectEqual(imported.output, "b.sqlite: 3 of 3 rows were imported into Author\n")
    try expectEqual(export("b.sqlite"), exported)
    // Keys that are there are mistakes, or are changed.
    try expectEqual(run("b.sqlite", "out", "--class", "Author").status, 1)
    try expectEqual(run("b.sqlite", "out", "--class", "Author", "--update").status, 0)
    try expectEqual(export("b.sqlite"), exported)
    try expectEqual(Tool.run(["diff", "a.sqlite", "b.sqlite", "--data"], in: folder).status, 0)
  }
}
