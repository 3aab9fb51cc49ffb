import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite(.needsHook) struct HistoryWritingTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs transactions on a file with two people, and returns what the history has of them.
  private func changes(
    _ transactions: ((Realm) throws -> Void)...
  ) throws -> [[String]] {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    try realm.write { realm.add([LedgerPerson("Ada", age: 36), LedgerPerson("Alan", age: 41)]) }
    let token = try realm.historyToken
    for transaction in transactions { try realm.write { try transaction(realm) } }
    return try realm.changeTexts(after: token)
  }

  private func ada(_ realm: Realm) throws -> LedgerPerson {
    try #require(realm.object(ofType: LedgerPerson.self, forPrimaryKey: "Ada"))
  }

  @Test func `A history begins with an entry, and has one for each transaction`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try realm.write { realm.add([LedgerPerson("Ada"), LedgerPerson("Alan")]) }
    try realm.write { try ada(realm).age = 37 }
    let history = try realm.history()
    expectEqual(history.map(\.kind), [.began, .write, .write])
    expectEqual(
      history.map(\.texts),
      [
        [], ["Person 1 inserted", "Person 2 inserted"], ["Person 1 updated age"],
      ])
    expectEqual(history[1].changes.map(\.primaryKey), [.string("Ada"), .string("Alan")])
    expectEqual(history[1].schemaVersion, 0)
    expectTrue(abs(history[1].date.timeIntervalSinceNow) < 60)
    let process = try #require(history[1].process)
    expectTrue(process.contains("[\(ProcessInfo.processInfo.processIdentifier)]@"))
    try expectEqual(realm.historyToken, history[2].id)
    try expectEqual(realm.history(after: history[1].id).map(\.id), [history[2].id])
    try expectEqual(realm.history(limit: 2).map(\.id), history[..<2].map(\.id))
  }

  @Test func `A transaction has the net effect on each object`() throws {
    let changes = try self.changes(
      { realm in
        let eve = LedgerPerson("Eve")
        realm.add(eve)
        eve.age = 5
        try self.ada(realm).age = 1
        try self.ada(realm).age = 2
      },
      { realm in
        let mallory = LedgerPerson("Mallory")
        realm.add(mallory)
        realm.delete(mallory)
      },
      { realm in
        let ada = try self.ada(realm)
        ada.age = 9
        realm.delete(ada)
      },
      { realm in
        try realm.withDatabase { db in
          try db.execute(sql: "DELETE FROM LedgerPerson WHERE _id = 2")
          try db.execute(
            sql: """
              INSERT INTO LedgerPerson (_id, name, age) VALUES (2, 'Alan', 5)
              """)
        }
      })
    expectEqual(
      changes,
      [
        ["Person 1 updated age", "Person 3 inserted"],
        ["Person 1 deleted"],
        ["Person 2 updated name, age, friend, tags, marks, notes, address, others, value, email"],
      ])
  }

  @Test func `Collections name their property`() throws {
    let changes = try self.changes(
      { try self.ada($0).tags.append("a") }, { try self.ada($0).marks.insert(3) },
      { try self.ada($0).notes["k"] = "v" }, { try self.ada($0).tags[0] = "b" },
      { try self.ada($0).tags.removeAll() },
      { realm in
        try self.ada(realm).tags.append(objectsIn: ["x", "y"])
        try self.ada(realm).age = 4
      })
    expectEqual(
      changes,
      [
        ["Person 1 updated tags"], ["Person 1 updated marks"], ["Person 1 updated notes"],
        ["Person 1 updated tags"], ["Person 1 updated tags"], ["Person 1 updated age, tags"],
      ])
  }

  @Test func `Embedded objects are changes of their owner`() throws {
    let changes = try self.changes(
      { realm in
        let address = LedgerAddress()
        address.place = LedgerPlace()
        try self.ada(realm).address = address
      },
      { try self.ada($0).address?.street = "Main" },
      { try self.ada($0).address?.place?.city = "London" },
      { try self.ada($0).others.append(LedgerAddress()) },
      { try self.ada($0).others[0].street = "Second" },
      { try self.ada($0).address = nil })
    expectEqual(
      changes,
      [
        ["Person 1 updated address"], ["Person 1 updated address"],
        ["Person 1 updated address"], ["Person 1 updated others"],
        ["Person 1 updated others"], ["Person 1 updated address"],
      ])
  }

  @Test func `Links that a deletion clears are updates`() throws {
    let changes = try self.changes(
      { realm in
        let note = LedgerNote("a")
        realm.add(note)
        note.person = try self.ada(realm)
        try self.ada(realm).friend = realm.object(
          ofType: LedgerPerson.self, forPrimaryKey: "Alan")
        try self.ada(realm).value = .object(
          try #require(realm.object(ofType: LedgerPerson.self, forPrimaryKey: "Alan")))
      },
      { realm in
        realm.delete(
          try #require(realm.object(ofType: LedgerPerson.self, forPrimaryKey: "Alan")))
      }, { realm in try realm.delete(self.ada(realm)) })
    expectEqual(
      changes,
      [
        ["Note 1 inserted", "Person 1 updated friend, value"],
        ["Person 1 updated friend, value", "Person 2 deleted"],
        ["Note 1 updated person", "Person 1 deleted"],
      ])
  }

  @Test func `Deleted objects leave their key and what the class keeps`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try realm.write {
      let ada = LedgerPerson("Ada", age: 36)
      ada.email = "ada@example.com"
      ada.value = .date(Date(timeIntervalSince1970: 0))
      realm.add(ada)
    }
    let inserted = try #require(try realm.historyToken)
    try realm.write { try realm.delete(ada(realm)) }
    let change = try #require(try realm.history(after: inserted).first?.changes.first)
    expectEqual(change.primaryKey, .string("Ada"))
    expectEqual(
      change.kind,
      .deleted(kept: [
        "name": .string("Ada"), "email": .string("ada@example.com"),
        "value": .date(Date(timeIntervalSince1970: 0)),
      ]))
    // The key of the insertion comes from the entry of the deletion.
    try expectEqual(realm.history()[1].changes.first?.primaryKey, .string("Ada"))
    expectNil(realm.object(of: change, as: LedgerPerson.self))
  }

  @Test func `Old values are kept where the history wants them`() throws {
    let history = Realm.Configuration.History(classesWithOldValues: [LedgerPerson.self])
    let realm = try Realm(configuration: folder.ledger(history))
    try realm.write { realm.add(LedgerPerson("Ada", age: 36)) }
    try realm.write {
      let ada = try ada(realm)
      ada.age = 37
      ada.email = "x"
    }
    let change = try #require(try realm.history().last?.changes.first)
    expectEqual(
      change.kind,
      .updated(
        properties: ["age", "email"], oldValues: ["age": .int(36), "email": .null]))
    expectEqual(realm.object(of: change, as: LedgerPerson.self)?.age, 37)
    expectNil(realm.object(of: change, as: LedgerNote.self))
  }

  @Test func `deleteAll is one change where nothing is kept`() throws {
    let changes = try self.changes(
      { $0.add([LedgerNote("a"), LedgerNote("b")]) }, { $0.deleteAll() },
      { realm in
        realm.add([LedgerNote("a"), LedgerNote("b"), LedgerNote("c")])
      },
      { realm in
        realm.add(LedgerNote("d"))
        realm.delete(realm.objects(LedgerNote.self))
        realm.add(LedgerNote("e"))
      })
    expectEqual(
      changes,
      [
        ["Note 1 inserted", "Note 2 inserted"],
        ["Note 0 all 2 deleted", "Person 1 deleted", "Person 2 deleted"],
        ["Note 3 inserted", "Note 4 inserted", "Note 5 inserted"],
        ["Note 0 all 3 deleted", "Note 7 inserted"],
      ])
  }

  @Test func `Many objects are runs of identities`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try realm.write { for number in 1...1_000 { realm.add(LedgerNote("\(number)")) } }
    try realm.write {
      realm.delete(realm.objects(LedgerNote.self).where { $0.text.ends(with: "7") })
    }
    let texts = try folder.texts("SELECT changes FROM strata_history ORDER BY position")
    expectEqual(texts[1], #"[["LedgerNote","i",[[1,1000]]]]"#)
    try expectEqual(realm.history().last?.changes.count, 100)
  }

  @Test func `Savepoints are taken back`() throws {
    let changes = try self.changes(
      { realm in
        try realm.withDatabase { db in
          try db.inSavepoint {
            try db.execute(sql: "INSERT INTO LedgerNote (text) VALUES ('gone')")
            try db.execute(sql: "DELETE FROM LedgerPerson WHERE _id = 1")
            return .rollback
          }
          try db.execute(sql: "UPDATE LedgerPerson SET age = 3 WHERE _id = 2")
          try db.execute(sql: "UPDATE LedgerPerson SET age = age WHERE _id = 1")
        }
      })
    // A row that was deleted and is there may have changed in any property.
    expectEqual(changes.count, 1)
    expectEqual(changes.first?.last, "Person 2 updated age")
    expectEqual(changes.first?.contains { $0.hasPrefix("Note") || $0.contains("deleted") }, false)
  }

  @Test func `Transactions without changes, and those that are rolled back, have no entry`() throws
  {
    struct Stop: Error {}
    let realm = try Realm(configuration: folder.ledger())
    let token = try realm.historyToken
    try realm.write {}
    #expect(throws: Stop.self) {
      try realm.write {
        realm.add(LedgerPerson("Ada"))
        throw Stop()
      }
    }
    realm.beginWrite()
    realm.add(LedgerPerson("Ada"))
    realm.cancelWrite()
    try expectEqual(realm.historyToken, token)
  }

  @Test func `Authors are those of the transaction, or of the configuration`() async throws {
    let realm = try await Realm.open(configuration: folder.ledger(.init(author: "server")))
    try realm.write { realm.add(LedgerNote("a")) }
    try realm.write(author: "import") { realm.add(LedgerNote("b")) }
    try await realm.asyncWrite(author: "task") { realm.add(LedgerNote("c")) }
    realm.beginWrite(author: "by hand")
    realm.add(LedgerNote("d"))
    try realm.commitWrite()
    try realm.write(author: nil) { realm.add(LedgerNote("e")) }
    try expectEqual(
      realm.history().map(\.author), [nil, "server", "import", "task", "by hand", nil])
  }

  @Test func `Realms in memory, read-only ones and copies have it, too`() throws {
    var memory = Realm.Configuration(
      inMemoryIdentifier: "\(UUID())", objectTypes: Ledger.types)
    memory.history = .init()
    let realm = try Realm(configuration: memory)
    try realm.write { realm.add(LedgerNote("a")) }
    try expectEqual(realm.changeTexts(), [["Note 1 inserted"]])

    let copy = folder.url.appendingPathComponent("copy.sqlite")
    let token: HistoryToken? = try {
      let realm = try Realm(configuration: folder.ledger())
      try realm.write { realm.add(LedgerNote("a")) }
      try realm.writeCopy(toFile: copy)
      return try realm.historyToken
    }()
    for file in [folder.file, copy] {
      var readOnly = Realm.Configuration(fileURL: file, readOnly: true, objectTypes: Ledger.types)
      // Without effect: nothing is written.
      readOnly.history = .off
      let realm = try Realm(configuration: readOnly)
      try expectEqual(realm.historyToken, token)
      try expectEqual(realm.changeTexts(), [["Note 1 inserted"]])
      try expectEqual(realm.freeze().changeTexts(), [["Note 1 inserted"]])
    }
  }

  @Test func `A file without a history is left alone`() throws {
    let realm = try Realm(configuration: folder.configuration(Ledger.types))
    try realm.write { realm.add(LedgerNote("a")) }
    try expectNil(realm.historyToken)
    for use in [{ _ = try realm.history() }, { try realm.consumeHistory(as: "a") { _ in } }] {
      expectError(
        "No history is kept in the file at path '\(folder.file.path)'. Set `history` in its "
          + "configuration; it begins with the next opening.", code: .fail
      ) { try use() }
    }
    try expectFalse(folder.dump().contains("history"))
  }

  @Test func `Properties that can't be kept are mistakes of the class`() throws {
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: folder.ledger(types: [
          LedgerMistake.self, LedgerAddress.self, LedgerPlace.self,
        ]))
    }
    let message = error?.message ?? ""
    expectTrue(
      message.contains("Property 'LedgerMistake.nmae' is kept on deletion, but does not exist."))
    expectTrue(message.contains("Property 'LedgerMistake.list' can't be kept: it is a list."))
    expectTrue(
      message.contains("Property 'LedgerMistake.address' can't be kept: it is an embedded object."))
  }
}

class LedgerMistake: Object {
  @Persisted var name = ""
  @Persisted var list: List<Int>
  @Persisted var address: LedgerAddress?
  override class func propertiesKeptOnDeletion() -> [String] {
    ["nmae", "list", "address", "name"]
  }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
