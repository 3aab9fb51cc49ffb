import Foundation
import Strata
import TestKit
import Testing

/// Queries and exports, as a user and a script see them.
@Suite struct QuestionTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
    try folder.copyRealmFile("all-types", to: "default.realm")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  @Test func `A file of Realm is asked as one of Strata, and nothing is left behind`() throws {
    let result = try run("query", "default.realm", "Optional", "--count")
    expectEqual(result.output, "9\n")
    expectEqual(result.status, 0)
    let temporary = FileManager.default.temporaryDirectory.path
    for name in try FileManager.default.contentsOfDirectory(atPath: temporary)
    where name.hasPrefix("strata-copy-") {
      let number = name.dropFirst("strata-copy-".count).prefix { $0.isNumber }
      let process = try #require(Int32(number))
      expectEqual(kill(process, 0), 0, "the process of '\(name)' is gone")
    }
  }

  @Test func `Nothing found is status 1, and a mistake is status 64`() throws {
    try expectEqual(run("query", "people.sqlite", "Person where age > 1000").status, 1)
    try expectEqual(
      run("query", "people.sqlite", "Person where age > 1000", "--count").output, "0\n")
    for question in ["Persn", "Person where age >", "Person show nothing", "Person sort nothing"] {
      let result = try run("query", "people.sqlite", question)
      expectEqual(result.status, 64)
      expectTrue(result.errors.hasPrefix("strata: \(question): "))
      expectTrue(result.output.isEmpty)
    }
    try expectEqual(run("query", "people.sqlite", "Person", "--csv", "--count").status, 64)
    try expectEqual(run("export", "people.sqlite").status, 64)
    try expectEqual(run("export", "people.sqlite", "--class", "Nobody").status, 64)
    try expectEqual(run("query", "nowhere.sqlite", "Person").status, 66)
  }

  @Test(arguments: [
    ("Person where agee > 3", "(column 14)"),
    ("Person where fullName MATCHES 'x'", "(column 23)"),
    ("Person where age == 'x'", "(column 21)"),
    ("Person where age > 1 AND (age < 3", "for the '(' in column 26 (column 34)"),
    ("Person where age > uppercase('x')", "(column 20)"),
  ])
  func `The place of a mistake counts from the beginning of the question`(
    question: String, place: String
  ) throws {
    let result = try run("query", "people.sqlite", question)
    expectEqual(result.status, 64)
    expectTrue(result.errors.contains(place), "\(result.errors)")
    expectEqual(result.errors.split(separator: "(column ").count, 2, "\(result.errors)")
  }

  @Test
  func `Values that don't fit their property are exported, with one warning for each property`()
    throws
  {
    let configuration = Realm.Configuration(
      fileURL: folder.url("dates.sqlite"), objectTypes: [Dated.self, Inner.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for _ in 0..<3 { realm.create(Dated.self, value: ["days": [Date()], "inner": [Date()]]) }
    }
    try folder.execute(
      """
      UPDATE Dated SET day = 'yesterday' WHERE _id > 1;
      UPDATE Dated_days SET value = 'tomorrow' WHERE owner = 1;
      UPDATE DatedInner SET day = 'now' WHERE _id = 2;
      UPDATE Dated SET anything = 'text' WHERE _id = 3
      """, in: "dates.sqlite")
    let said = """
      strata: Dated.day: 2 values aren't of type 'date'. They are exported as they are.
      strata: Dated.anything: 1 value isn't of type 'mixed'. It is exported as it is.
      strata: Dated.days: 1 value isn't of type 'date'. It is exported as it is.
      strata: DatedInner.day: 1 value isn't of type 'date'. It is exported as it is.

      """
    for format in ["csv", "json", "ndjson"] {
      let result = try run("export", "dates.sqlite", "--class", "Dated", "--format", format)
      expectEqual(result.errors, said)
      expectEqual(result.status, 0)
      expectEqual(result.output.split(separator: "yesterday").count, 3)
    }
    try expectEqual(run("query", "dates.sqlite", "Dated", "--ndjson").errors, said)
    let all = try run("export", "dates.sqlite", "-o", "all", "--quiet")
    expectEqual(all.errors, said)
    try expectEqual(run("export", "people.sqlite", "--class", "Person").errors, "")
  }

  private final class Dated: Object {
    @Persisted var day: Date
    @Persisted var anything: AnyRealmValue
    @Persisted var days: List<Date>
    @Persisted var inner: Inner?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "Dated" }
  }

  private final class Inner: EmbeddedObject {
    @Persisted var day: Date
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "DatedInner" }
  }

  @Test func `A file that is there is not written over, and half a file isn't left`() throws {
    try Data("mine".utf8).write(to: folder.url("out.csv"))
    for what in [["--class", "Pet"], ["--postgres"]] {
      let result = try Tool.run(
        ["export", "people.sqlite"] + what + ["-o", "out.csv"], in: folder)
      expectEqual(result.status, 73)
      try expectEqual(String(contentsOf: folder.url("out.csv"), encoding: .utf8), "mine")
    }
    let wrong = try run(
      "export", "people.sqlite", "--class", "Pet", "--where", "x == 1", "-o", "new.csv")
    expectEqual(wrong.status, 64)
    try expectEqual(folder.names, ["default.realm", "out.csv", "people.sqlite"])
    let right = try run("export", "people.sqlite", "--class", "Pet", "-o", "new.csv")
    expectEqual(right.output, "new.csv: 4 objects\n")
    try expectTrue(
      String(contentsOf: folder.url("new.csv"), encoding: .utf8).hasPrefix("_id,name,kind\n"))
  }

  @Test func `A zero doesn't end a long text`() throws {
    try folder.execute(
      "UPDATE Pet SET name = 'a' || char(0) || replace(hex(zeroblob(600)), '0', 'ü') WHERE _id = 1",
      in: "people.sqlite")
    let escaped = "a\\u0000" + String(repeating: "ü", count: 1200)
    let raw = "a\u{0}" + String(repeating: "ü", count: 1200)
    let ndjson = try run("query", "people.sqlite", "Pet limit 1 show name", "--ndjson").output
    expectEqual(ndjson, "{\"name\":\"\(escaped)\"}\n")
    try expectTrue(
      run("query", "people.sqlite", "Pet limit 1 show name", "--json").output.contains(
        "{\"text\":\"\(escaped.dropLast(202))\",\"length\":1202}"))
    try expectTrue(
      run("query", "people.sqlite", "Pet limit 1 show name").output.contains("a\\u{0}üü"))
    try expectTrue(run("export", "people.sqlite", "--class", "Pet").output.contains(",\(raw),"))
  }

  @Test func `A hostile class is a name of a file`() throws {
    let configuration = Realm.Configuration(
      fileURL: folder.url("hostile.sqlite"),
      objectTypes: [Hostile.self, SameName.self, OtherCase.self])
    try Realm(configuration: configuration).write {}
    let result = try run("export", "hostile.sqlite", "-o", "out")
    expectEqual(result.status, 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("out").path)
    expectEqual(names.sorted(), ["My_Pets_-2.csv", "My_pets_-3.csv", "My_pets_.csv"])
    try expectEqual(folder.names.filter { $0.hasSuffix(".csv") }, [])
  }

  private final class Hostile: Object {
    @Persisted var name = ""
    override class func _realmObjectName() -> String? { "My pets?" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private final class SameName: Object {
    @Persisted var name = ""
    override class func _realmObjectName() -> String? { "My_pets_" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private final class OtherCase: Object {
    @Persisted var name = ""
    override class func _realmObjectName() -> String? { "My_Pets?" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test func `Objects are compared, and the status tells`() throws {
    try FileManager.default.copyItem(at: folder.url("people.sqlite"), to: folder.url("b.sqlite"))
    try expectEqual(run("diff", "people.sqlite", "b.sqlite", "--data").status, 0)
    try folder.execute("UPDATE Person SET age = 35 WHERE _id = 1", in: "b.sqlite")
    let result = try run("diff", "people.sqlite", "b.sqlite", "--data")
    expectEqual(result.status, 1)
    expectTrue(result.output.contains("~ Person 1\n  - age: 34\n  + age: 35\n1 object differs.\n"))
    let quiet = try run("diff", "people.sqlite", "b.sqlite", "--data", "--quiet")
    expectEqual(quiet.status, 1)
    expectTrue(quiet.output.isEmpty)
  }

  @Test func `Compacting gives back room`() throws {
    try folder.execute(
      """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      INSERT INTO Pet (name, kind) SELECT 'pet ' || x, 'fish' FROM n;
      DELETE FROM Pet WHERE kind = 'fish';
      """, in: "people.sqlite")
    let before = try Data(contentsOf: folder.url("people.sqlite")).count
    let result = try run("compact", "people.sqlite")
    expectEqual(result.status, 0)
    try expectTrue(Data(contentsOf: folder.url("people.sqlite")).count < before / 4)
    try expectEqual(run("check", "people.sqlite").status, 0)
  }
}
