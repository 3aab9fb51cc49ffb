import Foundation
import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Exports of objects.
@Suite struct ExportTests {
  private let folder: TestFolder

  init() throws { folder = try Zoo.folder() }

  private func export(_ exporter: Exporter) async throws -> String {
    try await Zoo.reader(folder).read { db, schema in
      var text = ""
      try exporter.write(db, schema) { text += $0 }
      return text
    }
  }

  @Test func `CSV is RFC 4180`() async throws {
    try folder.execute(
      """
      UPDATE Keeper SET name = 'Ada "A"' || char(10) || 'Lovelace, née Byron' WHERE _id = 1;
      UPDATE Keeper SET name = ' x' WHERE _id = 2
      """)
    let text = try await export(
      Exporter(Question("Keeper"), .csv, columns: ["id", "name", "age", "isHere", "animals"]))
    expectEqual(
      text,
      """
      id,name,age,isHere,animals
      7,"Ada ""A""
      Lovelace, née Byron",36,true,"[1,2,1]"
      8," x",,false,[]

      """)
  }

  @Test func `A quotation mark with an accent behind it is doubled in CSV as any other`()
    async throws
  {
    try folder.execute("UPDATE Keeper SET name = 'a\"\u{301},b' WHERE _id = 1")
    let text = try await export(
      Exporter(Question("Keeper", where: "id == 7"), .csv, columns: ["name", "age"]))
    expectTrue(text.utf8.elementsEqual("name,age\n\"a\"\"\u{301},b\",36\n".utf8))
  }

  @Test func `Nil is nothing, and an empty text is two marks`() async throws {
    let text = try await export(
      Exporter(Question("Keeper", where: "id == 8"), .csv, columns: ["name", "age", "photo"]))
    expectEqual(text, "name,age,photo\n\"\",,\n")
  }

  @Test func `JSON has values as the file's page has them`() async throws {
    let text = try await export(
      Exporter(
        Question("Keeper", where: "id == 7"), .ndjson,
        columns: [
          "id", "weight", "share", "isHere", "born", "badge", "code", "salary", "photo", "note",
          "favourite", "animals", "tags", "scores", "home",
        ]))
    expectEqual(
      text,
      """
      {"id":7,"weight":61.5,"share":{"$numberFloat":"0.1"},"isHere":true,\
      "born":{"$date":"1970-01-01 00:00:00.000000000"},\
      "badge":{"$uuid":"\(Zoo.uuid.uuidString)"},"code":{"$oid":"6058f12b957ba06156586a7c"},\
      "salary":{"$numberDecimal":"1.50"},\
      "photo":{"$binary":{"base64":"iVBORwAB","subType":"00"}},\
      "note":{"$ref":"Animal","$id":1},"favourite":2,"animals":[1,2,1],"tags":["go"],\
      "scores":{"chess":7},"home":{"rooms":[{"size":12}],"street":"Main"}}

      """)
  }

  @Test func `A class without a key has its identity in front, and links have keys`() async throws {
    try folder.execute("UPDATE Animal SET mother = NULL")
    try await expectEqual(
      export(Exporter(Question("Animal"), .csv)), "_id,name,mother\n1,Rex,\n2,Max,\n")
    let ndjson = try await export(Exporter(Question("Animal"), .json))
    expectEqual(
      ndjson,
      """
      [
      {"_id":1,"name":"Rex","mother":null},
      {"_id":2,"name":"Max","mother":null}
      ]

      """)
  }

  @Test func `Nothing is an empty list`() async throws {
    let question = Question("Animal", where: "name == 'none'")
    try await expectEqual(export(Exporter(question, .json)), "[]\n")
    try await expectEqual(export(Exporter(question, .ndjson)), "")
    try await expectEqual(export(Exporter(question, .csv)), "_id,name,mother\n")
  }

  private final class Dotted: Object {
    @Persisted var plain = ""
    @Persisted var other: Dotted?
    override class func propertiesMapping() -> [String: String] { ["plain": "a.b", "other": "a"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "Dotted" }
  }

  @Test func `A name may have dots`() async throws {
    let folder = try TestFolder()
    try folder.open([Dotted.self]) { realm in
      try realm.write { realm.create(Dotted.self, value: ["plain": "x"]) }
    }
    let text = try await Zoo.reader(folder).read { db, schema in
      var text = ""
      for columns in [nil, ["a.b"]] as [[String]?] {
        try Exporter(Question("Dotted"), .csv, columns: columns).write(db, schema) { text += $0 }
      }
      let shown = try ShownColumn("a.a.b", of: "Dotted", schema)
      expectEqual(shown.links.map(\.name), ["a"])
      expectEqual(shown.property.name, "a.b")
      return text
    }
    expectEqual(text, "_id,a.b,a\n1,x,\na.b\nx\n")
  }

  @Test func `A property behind a link is refused`() async throws {
    await #expect(
      throws: RequestFailure(
        .badRequest, "column",
        "'home.street' can't be shown: it is behind a link. "
          + "Other programs get the link itself: show 'home'.")
    ) {
      try await export(Exporter(Question("Keeper"), .csv, columns: ["home.street"]))
    }
  }

  @Test func `Some objects are exported by their identities`() async throws {
    let text = try await export(
      Exporter(Question("Animal"), .csv, columns: ["name"], identities: [2]))
    expectEqual(text, "name\nMax\n")
  }
}
