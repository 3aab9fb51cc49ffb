import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Problems of files")
struct FileProblemsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func problems(_ folder: TestFolder) throws -> [Realm.FileProblem] {
    try Realm.problems(for: Realm.Configuration(fileURL: folder.file))
  }

  /// Makes a file, changes it as another program might, and returns what is found.
  private func problems(after sql: String) throws -> [Realm.FileProblem] {
    let folder = try TestFolder()
    folder.isDamaged = true
    try EverythingFile.make(in: folder)
    try folder.execute(sql, foreignKeys: false)
    return try problems(folder)
  }

  @Test func `A sound file has no problems, with a WAL and without`() throws {
    for hasLog in [false, true] {
      let bytes = try EverythingFile.bytes(hasLog: hasLog)
      let folder = try TestFolder()
      try bytes.write(to: folder)
      try expectEqual(problems(folder), [])
      // Neither the file nor its WAL has changed.
      try expectEqual(Data(contentsOf: folder.file), bytes.file)
      if let log = bytes.log {
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: folder.file.path + "-wal")), log)
      }
      let text = try folder.open(EverythingFile.types) { EverythingFile.text($0) }
      expectEqual(text, bytes.text)
    }
  }

  private class Shelf: Object {
    @Persisted var number = 0
    @Persisted var boxes: List<Box>
    @Persisted var drawer: Box?
  }

  private class EmptyShelf: Object {
    @Persisted var number = 0

    override class func className() -> String { "Shelf" }
  }

  private class Box: EmbeddedObject {
    @Persisted var size = 0
  }

  @Test
  func `Problems are found behind a property of embedded objects that is a collection`() throws {
    try folder.write([Shelf.self, Box.self]) { realm in
      realm.create(
        Shelf.self, value: ["boxes": [["size": 1], ["size": 2]], "drawer": ["size": 3]])
    }
    try expectEqual(problems(folder), [])
    folder.isDamaged = true
    try folder.execute(
      "DROP TRIGGER \"strata_replace_Shelf_boxes.value\"; UPDATE Shelf_boxes SET value = 3")
    let kinds = try Set(problems(folder).map(\.kind))
    expectEqual(kinds, [.trigger, .orphan, .sharedObject])
  }

  @Test func `A class that is removed with the property of its objects leaves no problem`() throws {
    try folder.write([Shelf.self, Box.self]) { realm in
      realm.create(Shelf.self, value: ["drawer": ["size": 3]])
    }
    try folder.open([EmptyShelf.self], version: 1) { _ in }
    try expectEqual(folder.count(of: "Box"), 0)
    try expectEqual(problems(folder), [])
  }

  @Test
  func `Problems are found while the file is open, and while another connection is writing`() throws
  {
    try EverythingFile.make(in: folder)
    try folder.write(EverythingFile.types) { realm in
      realm.create(Full.Thing.self, value: ["id": 100])
      let found = try problems(folder)
      expectEqual(found, [])
    }
    let writer = try DatabaseQueue.otherProgram(at: folder.file)
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let found = try problems(folder)
      expectEqual(found, [])
      try db.execute(sql: "COMMIT")
    }
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var sql: String
    var kind: Realm.FileProblem.Kind
    var place: String
    var part: String
    var testDescription: String { sql }
  }

  static let noTriggers = """
    DROP TRIGGER strata_delete_Thing; DROP TRIGGER "strata_replace_Thing.home"; \
    DROP TRIGGER strata_delete_Place; DROP TRIGGER strata_delete_Thing_places;
    """

  static let changes: [Change] = [
    Change(
      sql: "UPDATE Thing SET date = 'yesterday' WHERE _id = 3", kind: .value, place: "Thing.date 3",
      part: "'Thing.date' of the row with _id 3 holds no value of type 'date'."),
    Change(
      sql: "UPDATE Thing SET flag = 7 WHERE _id = 2", kind: .value, place: "Thing.flag 2",
      part: "type 'bool'"),
    Change(
      sql: "UPDATE Thing SET name = CAST(x'41ff' AS TEXT) WHERE _id = 2", kind: .value,
      place: "Thing.name 2", part: "type 'string'"),
    Change(
      sql: "UPDATE Thing SET uuid = 'x', objectId = 'y' WHERE _id = 2", kind: .value,
      place: "Thing.objectId 2", part: "type 'object id'"),
    Change(
      sql: "UPDATE Thing SET note = 'x', note_type = 'int' WHERE _id = 1", kind: .value,
      place: "Thing.note 1", part: "type 'mixed'"),
    Change(
      sql: "UPDATE Thing SET note = 1, note_type = NULL WHERE _id = 1", kind: .value,
      place: "Thing.note 1", part: "type 'mixed'"),
    Change(
      sql: "UPDATE Place_visits SET value = 'never' WHERE owner = 1", kind: .value,
      place: "Place.visits 1", part: "type 'date'"),
    Change(
      sql: "UPDATE Thing SET friend = 999 WHERE _id = 4", kind: .danglingLink,
      place: "Thing.friend 4", part: "links to a missing object"),
    Change(
      sql: "UPDATE Thing_friends SET value = 999 WHERE owner = 4 AND position = 1",
      kind: .danglingLink, place: "Thing.friends 4", part: "has an element that links"),
    Change(
      sql: "UPDATE Thing_byRole SET value = 999 WHERE owner = 4 AND key = 'next'",
      kind: .danglingLink, place: "Thing.byRole 4", part: "has an element that links"),
    Change(
      sql: "UPDATE Thing SET note = 999, note_type = '<Thing>' WHERE _id = 4",
      kind: .danglingLink, place: "Thing.note 4", part: "links to a missing object"),
    Change(
      sql: "UPDATE Thing SET note = 1, note_type = '<Nobody>' WHERE _id = 4",
      kind: .danglingLink, place: "Thing.note 4", part: "links to a missing object"),
    Change(
      sql: "UPDATE Thing_notes SET value = 999, value_type = '<Thing>' WHERE owner = 4",
      kind: .danglingLink, place: "Thing.notes 4", part: "has an element"),
    Change(
      sql: "INSERT INTO Thing_words (owner, position, value) VALUES (999, 1, 'x')",
      kind: .danglingElement, place: "Thing.words 999", part: "the object is missing"),
    Change(
      sql: "INSERT INTO Place (city) VALUES ('nowhere')", kind: .orphan, place: "Place 25",
      part: "has no parent"),
    Change(
      sql: noTriggers + "UPDATE Thing SET home = 1 WHERE _id = 2", kind: .sharedObject,
      place: "Place 1", part: "has more than one parent"),
    Change(
      sql:
        #"DROP INDEX "Thing.id"; INSERT INTO Thing SELECT 50, id, name, number, flag, ratio, small, "#
        + "date, dateOptional, uuid, objectId, price, NULL, NULL, NULL, NULL, data FROM Thing "
        + "WHERE _id = 5",
      kind: .duplicate, place: "Thing.id 50", part: "has the primary key of another row"),
    Change(
      sql: #"DROP INDEX "Thing_numbers.value"; INSERT INTO Thing_numbers VALUES (3, 3)"#,
      kind: .duplicate, place: "Thing.numbers 3", part: "has a value more than once"),
    Change(
      sql: #"DROP INDEX "Thing.id""#, kind: .index, place: "-",
      part: "The unique index 'Thing.id' of the primary key is missing."),
    Change(
      sql: #"DROP INDEX "Thing.name""#, kind: .index, place: "Thing.name",
      part: "The index 'Thing.name' is missing."),
    Change(
      sql: #"DROP INDEX "Thing.friend""#, kind: .index, place: "-",
      part: "The index 'Thing.friend' is missing."),
    Change(
      sql: "DROP TRIGGER strata_delete_Thing", kind: .trigger, place: "-",
      part: "The trigger 'strata_delete_Thing' is missing."),
    Change(
      sql: "CREATE TRIGGER strata_other AFTER DELETE ON Thing BEGIN SELECT 1; END", kind: .trigger,
      place: "-", part: "The trigger 'strata_other' belongs to no class of the file."),
    Change(
      sql: "DROP TABLE Thing_words", kind: .table, place: "-",
      part: "Table 'Thing_words' is missing."),
    Change(
      sql: "ALTER TABLE Thing RENAME COLUMN ratio TO rate", kind: .table, place: "-",
      part: "Column 'Thing.ratio' is missing."),
    Change(
      sql: "UPDATE strata_schema_version SET schema = '{}'", kind: .record, place: "-",
      part: "can't be read"),
    Change(
      sql: "DELETE FROM strata_schema_version", kind: .record, place: "-",
      part: "has not been initialized"),
    Change(
      sql: "CREATE TABLE other (x REFERENCES Thing); INSERT INTO other VALUES (999)",
      kind: .danglingLink, place: "-", part: "Table 'other' of another program has 1 references"),
    Change(
      sql:
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'Place'",
      kind: .damage, place: "-", part: "SQLite finds the file damaged"),
  ]

  @Test(arguments: changes)
  func `Problems say what, where, and how to repair it`(change: Change) throws {
    let problems = try problems(after: change.sql)
    let found = problems.contains { problem in
      let names = [problem.className, problem.property].compactMap(\.self)
      let row = problem.row.map { " \($0)" } ?? ""
      let place = names.isEmpty ? "-" : names.joined(separator: ".") + row
      return problem.kind == change.kind && place == change.place
        && problem.message.contains(change.part) && !problem.repair.isEmpty
    }
    expectTrue(found, "\(problems.map { "\($0.kind) \($0)" })")
  }

  @Test func `Opening the file repairs problems, where they say so`() throws {
    try EverythingFile.make(in: folder)
    try folder.execute(Self.noTriggers + #"DROP INDEX "Thing.name"; DROP INDEX "Thing.friend""#)
    let found = try problems(folder)
    expectEqual(found.count, 6)
    expectTrue(found.allSatisfy { $0.repair.contains("Open the file for writing") })
    try folder.open(EverythingFile.types) { _ in }
    try expectEqual(problems(folder), [])
  }

  @Test(arguments: changes.filter { [.danglingLink, .danglingElement].contains($0.kind) })
  func `A migration repairs problems, where they say so`(change: Change) throws {
    try EverythingFile.make(in: folder)
    folder.isDamaged = true
    try folder.execute(change.sql, foreignKeys: false)
    let found = try problems(folder)
    try folder.open(EverythingFile.types, version: 1) { _ in }
    try expectEqual(
      problems(folder), found.filter { !$0.repair.contains("a migration does so by itself") })
  }

  @Test func `Problems are listed a hundred times for each property`() throws {
    try EverythingFile.make(in: folder, objects: 150)
    try folder.execute("UPDATE Thing SET date = 'never', friend = NULL")
    let found = try problems(folder)
    expectEqual(found.count, 101)
    expectEqual(found.reduce(0) { $0 + $1.rowCount }, 150)
    expectEqual(
      found.last?.message, "'Thing.date' of 50 more rows holds no value of its type.")
  }

  @Test func `Problems can't be looked for where there is no database`() throws {
    var error = #expect(throws: Realm.Error.self) { try problems(folder) }
    expectEqual(error?.code, .fileNotFound)
    try Data("no database at all, but a text".utf8).write(to: folder.file)
    error = #expect(throws: Realm.Error.self) { try problems(folder) }
    expectEqual(error?.code, .invalidDatabase)
    error = #expect(throws: Realm.Error.self) {
      try Realm.problems(for: Realm.Configuration(inMemoryIdentifier: "x"))
    }
    expectEqual(error?.code, .fail)
  }

  @Test func `A check says how far it is, and its closure ends it`() throws {
    try EverythingFile.make(in: folder)
    let configuration = Realm.Configuration(fileURL: folder.file)
    var steps: [Realm.FileCheckProgress] = []
    try expectEqual(Realm.problems(for: configuration) { steps.append($0) }, [])
    expectEqual(steps.map(\.completedSteps), Array(0..<steps.count))
    expectEqual(steps.last?.totalSteps, steps.count)
    expectEqual(steps.first?.subject, "pages")
    expectTrue(steps.contains { $0.subject == "Thing" || $0.subject == "Everything" })
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try Realm.problems(for: configuration) { step in
        if step.completedSteps == 2 { throw Enough() }
      }
    }
    try expectEqual(problems(folder), [])
  }
}
