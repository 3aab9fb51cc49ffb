import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Full-text indexes in files that exist already, and while they migrate.
@Suite struct FullTextFileTests {
  typealias Person = Texts.Searchable.Person

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func make(_ type: Object.Type, texts: [String]) throws {
    try folder.write([type]) { realm in
      for (id, text) in texts.enumerated() {
        realm.create(type, value: ["id": id + 1, "bio": text])
      }
    }
  }

  private func found(_ words: String) throws -> [Int] {
    try folder.open([Person.self]) {
      $0.objects(Person.self).where { $0.bio.text(words) }.map(\.id)
    }
  }

  private func textItems() throws -> [String] {
    try folder.texts(
      """
      SELECT name FROM sqlite_schema
      WHERE name LIKE '% text' OR (type = 'trigger' AND name LIKE 'strata!_text%' ESCAPE '!')
      ORDER BY name
      """)
  }

  /// FTS5's own check, which compares the index with the texts.
  private func expectSound(_ tables: String...) throws {
    try folder.sql { db in
      for table in tables {
        let name = SQLName.quote(table)
        try db.execute(
          sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
      }
    }
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
    try expectTrue(folder.isSound())
  }

  private let items = [
    "Person.bio text", "Person.note text", "strata_text_delete_Person.bio",
    "strata_text_delete_Person.note", "strata_text_insert_Person.bio",
    "strata_text_insert_Person.note", "strata_text_update_Person.bio",
    "strata_text_update_Person.note",
  ]

  @Test func `An index is added to a file with rows, and removed, without a new version`() throws {
    try make(Texts.Plain.Person.self, texts: ["swift", "java"])
    try expectEqual(textItems(), [])
    try expectEqual(found("swift"), [1])
    try expectEqual(textItems(), items)
    try expectSound("Person.bio text", "Person.note text")
    try folder.open([Texts.Plain.Person.self]) {
      expectEqual($0.objects(Texts.Plain.Person.self).count, 2)
    }
    try expectEqual(textItems(), [])
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
  }

  @Test func `The file has an FTS5 table, and triggers that keep it`() throws {
    try make(Person.self, texts: ["swift"])
    let sql = try folder.texts(
      """
      SELECT sql FROM sqlite_schema WHERE name IN
      ('Person.bio text', 'strata_text_update_Person.bio') ORDER BY name
      """)
    expectEqual(
      sql,
      [
        #"CREATE VIRTUAL TABLE "Person.bio text" USING fts5("bio", content='Person', "#
          + "content_rowid='_id', tokenize='unicode61 remove_diacritics 2')",
        """
        CREATE TRIGGER "strata_text_update_Person.bio" AFTER UPDATE OF "bio" ON "Person" \
        WHEN OLD."bio" IS NOT NEW."bio" BEGIN
          INSERT INTO "Person.bio text"("Person.bio text", rowid, "bio") VALUES ('delete', OLD."_id", OLD."bio");
          INSERT INTO "Person.bio text"(rowid, "bio") VALUES (NEW."_id", NEW."bio");
        END
        """,
      ])
  }

  @Test func `Another program keeps the index, and counts its own changes only`() throws {
    try make(Person.self, texts: ["swift", "java"])
    try folder.sql { db in
      try db.execute(sql: "INSERT INTO Person (id, bio) VALUES (7, 'swift three')")
      expectTrue(db.changesCount == 1 && db.lastInsertedRowID == 3)
      try db.execute(sql: "UPDATE Person SET bio = 'kotlin' WHERE id < 3")
      expectTrue(db.changesCount == 2 && db.lastInsertedRowID == 3)
    }
    try expectEqual(found("kotlin"), [1, 2])
    try expectEqual(found("swift"), [7])
    try expectSound("Person.bio text")
    try folder.execute("DELETE FROM Person")
    try expectEqual(found("kotlin"), [])
    try expectSound("Person.bio text", "Person.note text")
  }

  @Test(arguments: [
    ("DROP TRIGGER \"strata_text_insert_Person.bio\"", ["triggers of the full-text index"]),
    ("DROP TABLE \"Person.bio text\"", ["missing, or not as it must be"]),
    (
      "DROP TRIGGER \"strata_text_insert_Person.bio\"; INSERT INTO Person (id, bio) VALUES (8, 'swift')",
      ["triggers of the full-text index", "with _id 3 is not in step with its full-text index"]
    ),
  ])
  func `What another program did to the index is reported, and made good`(
    sql: String, messages: [String]
  ) throws {
    try make(Person.self, texts: ["swift", "java"])
    try folder.execute(sql)
    let problems = try Realm.problems(for: folder.configuration([])).map(\.message)
    expectEqual(problems.count, messages.count, "\(problems)")
    for (problem, message) in zip(problems, messages) {
      expectTrue(problem.contains(message), "\(problem)")
    }
    try expectEqual(found("swift").first, 1)
    try expectEqual(textItems(), items)
    try expectSound("Person.bio text", "Person.note text")
  }

  @Test(
    arguments: [
      // Another word, one word less, the same words in another order, and the words of a nil.
      (1, "'swift java'", "'swift kotlin'"), (1, "'swift java'", "'swift'"),
      (2, "'java swift'", "'swift java'"), (3, "'c'", "NULL"),
    ])
  func `Words that are not those of the text are found`(
    _ row: Int, _ old: String, _ new: String
  ) throws {
    try make(Person.self, texts: ["swift java", "java swift", "c"])
    try folder.execute(
      """
      INSERT INTO "Person.bio text"("Person.bio text", rowid, bio) VALUES ('delete', \(row), \(old));
      INSERT INTO "Person.bio text"(rowid, bio) VALUES (\(row), \(new));
      """)
    let before = try Data(contentsOf: folder.file)
    let problems = try Realm.problems(for: folder.configuration([]))
    expectEqual(
      problems.map(\.message),
      [
        "'Person.bio' of the row with _id \(row) is not in step with its full-text index."
      ])
    try expectEqual(Data(contentsOf: folder.file), before)
    let repair = try #require(problems.first?.repair)
    expectEqual(
      repair,
      "Execute INSERT INTO \"Person.bio text\"(\"Person.bio text\") VALUES ('rebuild'); "
        + "with another program.")
    try folder.execute("INSERT INTO \"Person.bio text\"(\"Person.bio text\") VALUES ('rebuild')")
    try expectSound("Person.bio text")
  }

  @Test func `An index is checked while the file is open, and can't be written`() throws {
    try make(Person.self, texts: ["swift", "java"])
    try folder.open([Person.self]) { realm in
      try realm.write { realm.objects(Person.self).first?.bio = "kotlin" }
      try expectEqual(Realm.problems(for: folder.configuration([])), [])
    }
  }

  @Test func `A forecast names the index`() throws {
    try make(Texts.Plain.Person.self, texts: ["swift"])
    try expectEqual(
      Realm.migrationForecast(for: folder.configuration([Person.self])).outcome, .freeChanges)
    var configuration = folder.configuration([Person.self], version: 1)
    configuration.migrationBlock = { _, _ in }
    let forecast = try Realm.migrationForecast(for: configuration)
    let operations = forecast.stages.flatMap(\.operations).map(\.text)
    expectTrue(
      operations.contains("Create the full-text index of 'Person.bio'."), "\(operations)")
  }

  @Test func `An index follows new names, a rebuilt table and what a block writes`() throws {
    try make(Person.self, texts: ["swift", "java", "swift java"])
    try folder.open(
      [Texts.Renamed.Human.self], version: 1,
      { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        migration.renameProperty(onType: "Human", from: "bio", to: "life")
        migration.enumerateObjects(ofType: "Human") { old, new in
          guard let new else { return }
          if new["id"] as? Int == 3 { migration.delete(new) } else { new["note"] = "kotlin" }
        }
        migration.create("Human", value: ["id": 9, "life": "swift nine", "note": ""])
      }
    ) { realm in
      let people = realm.objects(Texts.Renamed.Human.self)
      expectEqual(people.where { $0.life.text("swift") }.map(\.id), [1, 9])
      expectEqual(people.where { $0.note.text("kotlin") }.map(\.id), [1, 2])
    }
    try expectEqual(textItems().prefix(2), ["Human.life text", "Human.note text"])
    try expectEqual(textItems().count, 8)
    try expectSound("Human.life text", "Human.note text")
  }

  @Test func `A migration that fails leaves the index as it was`() throws {
    try make(Person.self, texts: ["swift"])
    let before = try folder.dump()
    #expect(throws: (any Error).self) {
      try folder.open(
        [Texts.Renamed.Human.self], version: 1,
        { migration, _ in
          migration.renameClass(from: "Person", to: "Human")
          throw CancellationError()
        }
      ) { _ in }
    }
    try expectEqual(folder.dump(), before)
    try expectEqual(found("swift"), [1])
  }

  @Test func `Names with signs have an index as well`() throws {
    typealias Model = Texts.`Größe.x`
    try folder.open([Model.self]) { realm in
      try realm.write { realm.create(Model.self, value: ["text": "swift", "other": "java"]) }
      expectEqual(realm.objects(Model.self).where { $0.text.text("swift") }.count, 1)
      expectEqual(realm.objects(Model.self).where { $0.other.text("java") }.count, 1)
      try realm.write { realm.deleteAll() }
      expectTrue(realm.objects(Model.self).where { $0.text.text("swift") }.isEmpty)
    }
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
  }

  @Test func `Only texts have an index, and not under every name`() {
    let error = #expect(throws: Realm.Error.self) {
      try folder.open([Texts.Wrong.self]) { _ in }
    }
    for line in [
      "Property 'Wrong.number' of type 'int' cannot have a full-text index. Only a 'String' or "
        + "'String?' can.",
      "Property 'Wrong.words' of type 'array<string>' cannot have a full-text index.",
      "Column 'Wrong.rank' cannot have a full-text index: SQLite keeps the names 'rank' and 'rowid' "
        + "for itself. Give the property another column in 'propertiesMapping()'.",
    ] {
      expectEqual(error?.message.contains("\n- \(line)"), true, "\(error?.message ?? "")")
    }
  }

  @Test func `A read-only file without the index is refused`() throws {
    try make(Texts.Plain.Person.self, texts: ["swift"])
    var configuration = folder.configuration([Person.self])
    configuration.readOnly = true
    expectError(containing: "\n- Property 'Person.bio' has got a full-text index.") {
      try Realm(configuration: configuration)
    }
  }

  @Test func `The recorded schema keeps the index, and one without it reads as before`() throws {
    try make(Person.self, texts: [])
    let schema = try folder.sql { try FileState.read($0, at: folder.file).schema }
    expectEqual(
      schema["Person"]?.properties.map(\.wantsTextIndex), [false, true, true, false, false])
    expectEqual(schema["Person"]?["bio"]?.description, "bio: string (full text)")
    let json = Data(#"{"name":"bio","type":"string"}"#.utf8)
    try expectEqual(JSONDecoder().decode(Property.self, from: json).wantsTextIndex, false)
  }

  @Test func `A class that starts over takes its index along`() throws {
    try make(Person.self, texts: ["swift"])
    var configuration = folder.configuration([V0.Keyed.self], version: 1)
    configuration.deleteRealmIfMigrationNeeded = true
    _ = try Realm(configuration: configuration)
    try expectEqual(textItems(), [])
  }

  @Test func `SQLite without FTS5 is named`() {
    expectEqual(
      TextSearchSupport.message(for: TextTable(className: "A", column: "b", identity: "_id")),
      "Property 'A.b' has a full-text index, and this SQLite library has no FTS5. Use a SQLite that "
        + "is compiled with SQLITE_ENABLE_FTS5, or leave out 'fullText: true'.")
  }
}
