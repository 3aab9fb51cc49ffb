import Foundation
import GRDB
import Strata
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@Suite struct HistoryOtherProgramsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func realm(
    _ folder: TestFolder, _ history: Realm.Configuration.History = .init()
  ) throws -> Realm {
    let realm = try Realm(configuration: folder.ledger(history))
    try realm.write { realm.add([LedgerPerson("Ada", age: 36), LedgerPerson("Alan", age: 41)]) }
    return realm
  }

  @Test func `Rows that other programs change are noted`() throws {
    let realm = try realm(folder)
    let token = try realm.historyToken
    try folder.execute(
      """
      INSERT INTO LedgerNote (text, person) VALUES ('it''s', 1);
      UPDATE LedgerPerson SET age = age + 1, "e-mail" = 'a,''b' WHERE _id = 1;
      INSERT INTO LedgerPerson_tags (owner, position, value) VALUES (2, 0, 'x');
      """)
    let history = try realm.history(after: token)
    expectTrue(history.allSatisfy { $0.kind == .otherProgram && $0.process == nil })
    expectEqual(
      Set(history.flatMap(\.texts)),
      ["Note 1 inserted", "Person 1 updated age, email", "Person 2 updated tags"])
    expectEqual(history.flatMap(\.changes).first { $0.identity == 2 }?.primaryKey, .string("Alan"))
  }

  @Test func `A statement that changes many rows is one transaction`() throws {
    let realm = try realm(folder)
    let token = try realm.historyToken
    try folder.execute("UPDATE LedgerPerson SET age = 0")
    let history = try realm.history(after: token)
    expectEqual(history.map(\.texts), [["Person 1 updated age", "Person 2 updated age"]])
    try expectEqual(realm.historyToken, history[0].id)
    try expectTrue(realm.history(after: history[0].id).isEmpty)
  }

  @Test func `Deletions keep what the class wants`() throws {
    let realm = try realm(folder)
    try folder.execute("UPDATE LedgerPerson SET \"e-mail\" = 'it''s, a' WHERE _id = 1")
    let token = try realm.historyToken
    try folder.execute("DELETE FROM LedgerPerson")
    let changes = try realm.history(after: token).flatMap(\.changes)
    expectEqual(
      changes.map(\.kind),
      [
        .deleted(kept: ["name": .string("Ada"), "email": .string("it's, a"), "value": .null]),
        .deleted(kept: ["name": .string("Alan"), "email": .null, "value": .null]),
      ])
    expectEqual(changes.map(\.primaryKey), [.string("Ada"), .string("Alan")])
  }

  @Test func `Texts with a NUL are kept whole`() throws {
    let realm = try realm(folder)
    try realm.write { realm.add(LedgerPerson("a\0b", age: 1)) }
    try folder.execute("UPDATE LedgerPerson SET \"e-mail\" = char(0) || 'é' WHERE age = 1")
    let token = try realm.historyToken
    try folder.execute("DELETE FROM LedgerPerson WHERE age = 1")
    let change = try #require(try realm.history(after: token).flatMap(\.changes).first)
    expectEqual(change.primaryKey, .string("a\0b"))
    expectEqual(
      change.kind,
      .deleted(kept: ["name": .string("a\0b"), "email": .string("\0é"), "value": .null]))
  }

  @Test func `Many rows of one statement come as several transactions`() throws {
    let realm = try realm(folder)
    let token = try realm.historyToken
    let count = 25_000
    try folder.execute(
      """
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO LedgerPerson (name, age) SELECT 'many ' || i, 0 FROM n;
      UPDATE strata_history SET at = '2026-11-27 20:00:00.000' WHERE kind = 'other';
      DELETE FROM LedgerPerson WHERE name LIKE 'many %';
      COMMIT;
      """)
    var (position, names): (HistoryToken?, Set<String>) = (token, [])
    var sizes: [Int] = []
    // The insertions: each knows the key, which only the deletions have.
    while sizes.reduce(0, +) < count {
      let transaction = try #require(try realm.history(after: position, limit: 1).first)
      position = transaction.id
      sizes.append(transaction.changes.count)
      for change in transaction.changes {
        guard case .string(let name)? = change.primaryKey else { continue }
        names.insert(name)
      }
    }
    expectEqual(sizes, [10_000, 10_000, 5_000])
    expectEqual(names, Set((1...count).map { "many \($0)" }))
  }

  @Test func `Keys of objects that were deleted soon are found without reading to the end`() throws
  {
    let realm = try Realm(configuration: folder.ledger())
    let token = try realm.historyToken
    try realm.write { realm.add(LedgerPerson("gone")) }
    try realm.write { realm.delete(realm.objects(LedgerPerson.self)) }
    try realm.write { realm.add(LedgerPerson("there")) }
    let changes = try realm.history(after: token).flatMap(\.changes)
    expectEqual(changes.map(\.primaryKey), [.string("gone"), .string("gone"), .string("there")])
    // Deleting all objects records no keys: nothing is known of the deleted objects.
    try realm.write { realm.add(LedgerNote("note")) }
    try realm.write { realm.deleteAll() }
    try expectEqual(realm.history(after: token).count, 5)
  }

  @Test func `Embedded objects are changes of their owner`() throws {
    let realm = try realm(folder)
    try realm.write {
      let address = LedgerAddress()
      address.place = LedgerPlace()
      try #require(realm.objects(LedgerPerson.self).first).address = address
    }
    let token = try realm.historyToken
    try folder.execute("UPDATE LedgerPlace SET city = 'x'")
    try expectEqual(realm.changeTexts(after: token), [["Person 1 updated address"]])
  }

  @Test func `A row that gets another identity went and came`() throws {
    let realm = try realm(folder)
    try realm.write { realm.add(LedgerNote("a")) }
    let token = try realm.historyToken
    try folder.execute("UPDATE LedgerNote SET _id = 9")
    try expectEqual(realm.changeTexts(after: token), [["Note 1 deleted", "Note 9 inserted"]])
  }

  @Test func `Schemas that aren't trusted, and a class with hostile names, are noted`() throws {
    let types: [ObjectBase.Type] = [LedgerHostile.self]
    let realm = try Realm(configuration: folder.ledger(types: types))
    try realm.write { realm.add(LedgerHostile()) }
    let token = try realm.historyToken
    try folder.execute(
      """
      PRAGMA trusted_schema = OFF;
      UPDATE "LedgerHostile" SET "it's, ""a"",'u'" = 5;
      """)
    let change = try #require(try realm.history(after: token).first?.changes.first)
    expectEqual(change.kind, .updated(properties: ["number"], oldValues: [:]))
  }

  @Test func `The tool sqlite3 is another program`() throws {
    guard SQLiteTool.isThere else { return }
    let realm = try realm(folder)
    let token = try realm.historyToken
    try SQLiteTool.output(
      of: "sqlite3 test.sqlite 'DELETE FROM LedgerPerson WHERE age = 41'", in: folder.url)
    try expectEqual(realm.changeTexts(after: token), [["Person 2 deleted"]])
  }

  @Test(.enabled(if: !ChangeHook.isAvailable))
  func `Without the hook triggers note what the library writes`() throws {
    let realm = try realm(folder)
    let token = try realm.historyToken
    try realm.write { try #require(realm.objects(LedgerPerson.self).first).tags.append("a") }
    usleep(5_000)
    try realm.write { realm.delete(realm.objects(LedgerPerson.self).where { $0.name == "Alan" }) }
    let history = try realm.history(after: token)
    expectEqual(history.map(\.texts), [["Person 1 updated tags"], ["Person 2 deleted"]])
    expectTrue(history.allSatisfy { $0.kind == .otherProgram })
    expectEqual(history.last?.changes.first?.primaryKey, .string("Alan"))
    expectError(
      "The SQLite library of this program has no pre-update hook, so a history needs triggers. "
        + "Leave `notesOtherPrograms` true."
    ) {
      let other = try TestFolder()
      _ = try Realm(configuration: other.ledger(.init(notesOtherPrograms: false)))
    }
  }

  @Test(.needsHook) func `Without notes of other programs there are no triggers`() throws {
    do { _ = try realm(folder) }
    try expectTrue(folder.dump().contains("strata_history_update_LedgerPerson"))
    let realm = try Realm(
      configuration: folder.ledger(.init(notesOtherPrograms: false)))
    try expectFalse(folder.dump().contains("strata_history_update_LedgerPerson"))
    let token = try realm.historyToken
    try folder.execute("UPDATE LedgerPerson SET age = 1")
    try expectTrue(realm.history(after: token).isEmpty)
  }

  @Test func `Triggers and tables that were dropped come back`() throws {
    do { _ = try realm(folder) }
    let before = try folder.texts(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    try folder.execute(
      """
      DROP TRIGGER strata_history_insert_LedgerNote;
      DROP TABLE strata_history_consumer;
      """)
    try expectTrue(
      Realm.problems(for: folder.configuration(Ledger.types)).contains {
        $0.description.contains("strata_history_insert_LedgerNote")
      })
    // Without the setting, too: it is a property of the file.
    let realm = try Realm(configuration: folder.configuration(Ledger.types))
    let after = try folder.texts(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    expectEqual(after, before)
    try expectTrue(realm.historyConsumers().isEmpty)
    try expectTrue(Realm.problems(for: folder.configuration(Ledger.types)).isEmpty)
  }

  @Test func `A program that has the file open begins to note when another one wants it`() throws {
    let realm = try Realm(configuration: folder.configuration(Ledger.types))
    try realm.write { realm.add(LedgerNote("a")) }
    // Another process does this when it opens the file.
    let copy = try TestFolder()
    _ = try Realm(configuration: copy.ledger())
    let tables = try copy.texts(
      """
      SELECT sql FROM sqlite_schema WHERE name LIKE 'strata_history%' AND type <> 'index'
      ORDER BY type, name
      """)
    let settings = try copy.text("SELECT settings FROM strata_history_settings")
    try folder.sql { db in
      try db.inTransaction {
        for sql in tables { try db.execute(sql: sql) }
        try db.execute(
          sql: "INSERT INTO strata_history_settings VALUES (1, ?)", arguments: [settings])
        try db.execute(
          sql: """
            INSERT INTO strata_history (mark, at, kind, schema_version, changes)
            VALUES (5, '2026-01-01 00:00:00.000', 'began', 0, '[]')
            """)
        return .commit
      }
    }
    try realm.write { realm.add(LedgerNote("b")) }
    try expectEqual(realm.changeTexts(), [["Note 2 inserted"]])
  }
}

class LedgerHostile: Object {
  @Persisted var number = 0
  override class func propertiesMapping() -> [String: String] { ["number": "it's, \"a\",'u'"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
