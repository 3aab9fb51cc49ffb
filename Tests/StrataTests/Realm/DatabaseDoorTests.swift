import Foundation
import GRDB
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

private class Page: Object {
  @Persisted var title = ""
  @Persisted var text = ""
  @Persisted var tags: List<String>
}

@Suite struct DatabaseDoorTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func open(_ folder: TestFolder) throws -> Realm {
    try Realm(configuration: folder.configuration([Page.self]))
  }

  @Test func `A report is read with SQL`() throws {
    let realm = try open(folder)
    try realm.write {
      realm.create(Page.self, value: ["title": "One", "tags": ["a", "b"]])
      realm.create(Page.self, value: ["title": "Two", "tags": ["b"]])
    }
    let rows = try realm.withDatabase { db in
      try Row.fetchAll(
        db, sql: "SELECT value, count(*) FROM Page_tags GROUP BY value ORDER BY value"
      )
      .map { "\($0[0] as String) \($0[1] as Int)" }
    }
    expectEqual(rows, ["a 1", "b 2"])
  }

  @Test func `Outside of a transaction nothing can be written`() throws {
    let realm = try open(folder)
    #expect(throws: DatabaseError.self) {
      try realm.withDatabase { try $0.execute(sql: "DELETE FROM Page") }
    }
  }

  @Test func `Inside of a transaction SQL and objects see each other's changes`() throws {
    let realm = try open(folder)
    try realm.write {
      let page = realm.create(Page.self, value: ["title": "One", "tags": ["a"]])
      expectEqual(page.tags.count, 1)
      try realm.withDatabase { db in
        try expectEqual(String.fetchAll(db, sql: "SELECT title FROM Page"), ["One"])
        try db.execute(
          sql: """
            UPDATE Page SET title = 'Changed';
            INSERT INTO Page (_id, title, text) VALUES (70, 'Inserted', '');
            INSERT INTO Page_tags VALUES (1, 9, 'z');
            """)
      }
      expectEqual(page.title, "Changed")
      expectEqual(Array(page.tags), ["a", "z"])
      realm.create(Page.self, value: ["title": "Last"])
      expectEqual(realm.objects(Page.self).map(\.title), ["Changed", "Inserted", "Last"])
    }
    expectEqual(realm.objects(Page.self).map(\.title), ["Changed", "Inserted", "Last"])
  }

  @Test func `A commit that references to missing rows prevent says which`() throws {
    let realm = try open(folder)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(Page.self, value: ["title": "One"])
        try realm.withDatabase { db in
          try db.execute(
            sql: """
              CREATE TABLE mine (id INTEGER PRIMARY KEY, page INTEGER REFERENCES Page (_id));
              INSERT INTO mine VALUES (7, 1), (8, 2);
              INSERT INTO Page_tags VALUES (5, 1, 'a'), (5, 2, 'b');
              """)
        }
      }
    }
    let message = try #require(error?.message)
    expectEqual(error?.code, .fail)
    expectTrue(message.contains("FOREIGN KEY constraint failed. Nothing was committed: "))
    let ending = " refers to a row of 'Page' that isn't there"
    for row in ["row 8 of table 'mine'", "a row of table 'Page_tags'"] {
      expectEqual(message.components(separatedBy: row + ending).count, 2, "\(message)")
    }
    expectTrue(
      message.hasSuffix(
        ". Add the rows that are referred to, or remove the references, before the transaction ends."
      ))
    expectTrue(realm.isEmpty)
    try realm.write { realm.create(Page.self) }
    expectEqual(realm.objects(Page.self).count, 1)
  }

  @Test func `Rows that SQL has written are rolled back with the rest`() throws {
    struct Refusal: Error {}
    let realm = try open(folder)
    #expect(throws: Refusal.self) {
      try realm.write {
        try realm.withDatabase { db in
          try db.execute(
            sql: "INSERT INTO Page (title, text) VALUES ('x', ''); CREATE TABLE mine (a)")
        }
        throw Refusal()
      }
    }
    expectTrue(realm.isEmpty)
    try expectEqual(realm.withDatabase { try $0.tableExists("mine") }, false)
  }

  @Test func `A table of the program is kept by a trigger and by references`() throws {
    let realm = try open(folder)
    let counts = {
      try realm.withDatabase {
        try Int.fetchAll($0, sql: "SELECT number FROM visits ORDER BY page")
      }
    }
    try realm.write {
      try realm.withDatabase { db in
        try db.execute(
          sql: """
            CREATE TABLE visits (page INTEGER PRIMARY KEY REFERENCES Page ON DELETE CASCADE, number INTEGER NOT NULL);
            CREATE TRIGGER visits_insert AFTER INSERT ON Page BEGIN
              INSERT INTO visits VALUES (new._id, 0);
            END;
            """)
      }
      realm.create(Page.self, value: ["title": "One"])
      realm.create(Page.self, value: ["title": "Two"])
    }
    try expectEqual(counts(), [0, 0])
    try realm.write { realm.delete(realm.objects(Page.self).filter("title == 'One'")) }
    try expectEqual(counts(), [0])
  }

  @Test func `A full-text index of the program is kept by triggers`() throws {
    let realm = try open(folder)
    try realm.write {
      try realm.withDatabase { db in
        try db.execute(
          sql: """
            CREATE VIRTUAL TABLE search USING fts5(text, content='Page', content_rowid='_id');
            CREATE TRIGGER search_insert AFTER INSERT ON Page BEGIN
              INSERT INTO search(rowid, text) VALUES (new._id, new.text);
            END;
            """)
      }
      realm.create(Page.self, value: ["title": "One", "text": "the quick fox"])
      realm.create(Page.self, value: ["title": "Two", "text": "the lazy dog"])
    }
    let titles = try realm.withDatabase { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT title FROM search JOIN Page ON Page._id = search.rowid WHERE search MATCH 'fox'
          """)
    }
    expectEqual(titles, ["One"])
  }

  @Test func `The transaction is the realm's`() throws {
    let realm = try open(folder)
    expectError(
      "The closure of 'withDatabase' has ended the transaction of 'write'. Don't "
        + "begin or end transactions in it."
    ) {
      try realm.write {
        realm.create(Page.self)
        try realm.withDatabase { try $0.rollback() }
      }
    }
    expectTrue(realm.isEmpty)
  }

  @Test func `An observation of GRDB follows the objects`() async throws {
    let realm = try open(folder)
    let observation = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT title FROM Page ORDER BY _id")
    }
    var values = try realm.values(of: observation).makeAsyncIterator()
    try await expectEqual(values.next(), [])
    let page = try realm.write { realm.create(Page.self, value: ["title": "One"]) }
    try await expectEqual(values.next(), ["One"])
    try realm.write { page.title = "Two" }
    try await expectEqual(values.next(), ["Two"])
    try realm.write { realm.delete(page) }
    try await expectEqual(values.next(), [])
  }

  @Test func `An observation can't be started inside of a transaction`() throws {
    let realm = try open(folder)
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM Page") ?? 0
    }
    try realm.write {
      expectError("An observation can't be started inside of 'write'. Start it before or after.") {
        try realm.values(of: observation)
      }
    }
  }
}
