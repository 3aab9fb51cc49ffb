import Foundation
import GRDB
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

private enum One {
  class Person: Object {
    override class func _realmObjectName() -> String? { "Person" }
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
    @Persisted var nick = ""
  }
  class Dog: Object {
    override class func _realmObjectName() -> String? { "Dog" }
    @Persisted var name = ""
  }
}

private enum Two {
  class Human: Object {
    override class func _realmObjectName() -> String? { "Human" }
    @Persisted(primaryKey: true) var id = 0
    @Persisted var years = 0
  }
}

/// Persons are humans, and dogs are called persons.
private enum Three {
  class Human: Object {
    override class func _realmObjectName() -> String? { "Human" }
    @Persisted(primaryKey: true) var number = 0
    @Persisted var years = 0
  }
  class Person: Object {
    override class func _realmObjectName() -> String? { "Person" }
    @Persisted var title = ""
  }
}

/// Dogs have gone, and persons are called dogs; nicks are called ages.
private enum Four {
  class Dog: Object {
    override class func _realmObjectName() -> String? { "Dog" }
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = ""
  }
}

private enum Boxed {
  class Box: Object {
    override class func _realmObjectName() -> String? { "Box" }
    @Persisted var content: AnyRealmValue
    override class func propertiesKeptOnDeletion() -> [String] { ["content"] }
  }
  class Crate: Object {
    override class func _realmObjectName() -> String? { "Crate" }
    @Persisted var thing: AnyRealmValue
    override class func propertiesKeptOnDeletion() -> [String] { ["thing"] }
  }
}

@Suite(.needsHook) struct HistoryMigrationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func makeOne(_ folder: TestFolder) throws -> HistoryToken {
    let realm = try Realm(
      configuration: folder.ledger(types: [One.Person.self, One.Dog.self], version: 1))
    try realm.write {
      realm.create(One.Person.self, value: ["id": 7, "age": 1])
      realm.add(One.Dog())
    }
    try realm.write { try #require(realm.objects(One.Person.self).first).age = 2 }
    try realm.write { try #require(realm.objects(One.Person.self).first).nick = "x" }
    return try #require(try realm.historyToken)
  }

  private func migrate(_ folder: TestFolder, loops: Bool = false) throws -> Realm {
    try Realm(
      configuration: folder.ledger(nil, types: [Two.Human.self], version: 2) { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        migration.renameProperty(onType: "Human", from: "age", to: "years")
        migration.deleteData(forType: "Dog")
        if loops {
          migration.enumerateObjects(ofType: "Human") { _, new in new?["years"] = 9 }
        }
      })
  }

  @Test func `A history that begins with a migration begins in its transaction`() throws {
    try autoreleasepool { _ = try Realm(configuration: folder.ledger(nil, version: 1)) }
    var configuration = folder.ledger(version: 2)
    let begun = Mutex<Int?>(nil)
    // Called when the migration was committed.
    let file = folder.file.path
    configuration.didMigrate = { _ in
      let count = Result {
        try DatabaseQueue(path: file).read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM strata_history_settings")
        }
      }
      begun.withLock { $0 = (try? count.get()) ?? nil }
    }
    let realm = try Realm(configuration: configuration)
    expectEqual(begun.withLock { $0 }, 1)
    try expectEqual(realm.history().map(\.kind), [.began])
    try realm.write { realm.add(LedgerNote("a")) }
    try folder.execute("UPDATE LedgerNote SET text = 'b'")
    try expectEqual(realm.history().count, 3)
  }

  @Test func `A migration is one entry, and older ones have today's names`() throws {
    let token = try makeOne(folder)
    let realm = try migrate(folder)
    let history = try realm.history()
    expectEqual(
      history.map(\.kind), [.began, .write, .write, .write, .migration(from: 1, to: 2)])
    expectEqual(history.map(\.schemaVersion), [1, 1, 1, 1, 2])
    // The property of the last update is gone.
    expectEqual(
      history.map(\.texts),
      [
        [], ["Dog 1 inserted", "Human 1 inserted"], ["Human 1 updated years"], [], [],
      ])
    expectEqual(history[1].changes(of: Two.Human.self).map(\.primaryKey), [.int(7)])
    expectEqual(history[4].rewrittenClasses, [:])
    try expectEqual(realm.history(after: token).count, 1)
    try realm.write { try #require(realm.objects(Two.Human.self).first).years = 5 }
    try expectEqual(realm.history().last?.texts, ["Human 1 updated years"])
    // The triggers match the new schema.
    try folder.execute("UPDATE Human SET years = 6")
    try expectEqual(realm.history().last?.texts, ["Human 1 updated years"])
  }

  @Test func `A closure that goes through a class has rewritten it`() throws {
    _ = try makeOne(folder)
    let realm = try migrate(folder, loops: true)
    try expectEqual(realm.history().last?.rewrittenClasses, ["Human": 1])
    try expectEqual(realm.history().last?.changes.isEmpty, true)
  }

  @Test func `A migration that fails leaves none`() throws {
    struct Stop: Error {}
    let token = try makeOne(folder)
    #expect(throws: Stop.self) {
      try Realm(
        configuration: folder.ledger(nil, types: [Two.Human.self], version: 2) { _, _ in
          throw Stop()
        })
    }
    let realm = try Realm(
      configuration: folder.ledger(nil, types: [One.Person.self, One.Dog.self], version: 1))
    try expectEqual(realm.historyToken, token)
  }

  @Test func `A plan has an entry for each version`() throws {
    try folder.makeV1()
    do {
      var configuration = folder.plan([.version(V1.self)])
      configuration.history = .init()
      _ = try Realm(configuration: configuration)
    }
    let realm = try Realm(configuration: folder.plan(.all))
    try expectEqual(
      realm.history().map(\.kind),
      [
        .began, .migration(from: 1, to: 2), .migration(from: 2, to: 3),
        .migration(from: 3, to: 4),
      ])
  }

  @Test func `Starting over begins anew`() throws {
    let token = try makeOne(folder)
    var configuration = folder.configuration([Two.Human.self], version: 2)
    configuration.deleteRealmIfMigrationNeeded = true
    let realm = try Realm(configuration: configuration)
    try expectEqual(realm.history().map(\.kind), [.began])
    expectError(code: .historyDiverged) { try realm.history(after: token) }
    try realm.write { realm.create(Two.Human.self, value: ["id": 1]) }
    try expectEqual(realm.changeTexts(), [["Human 1 inserted"]])
  }

  @Test func `New classes and indexes need no entry, and are noted`() throws {
    do {
      _ = try Realm(
        configuration: folder.ledger(types: [
          LedgerNote.self, LedgerPerson.self, LedgerAddress.self, LedgerPlace.self,
        ]))
    }
    let realm = try Realm(configuration: folder.ledger(nil, types: Ledger.types + Broad.types))
    try expectEqual(realm.history().count, 1)
    try realm.write { realm.add(Broad()) }
    try folder.execute("UPDATE Broad SET p1 = 1")
    try expectEqual(realm.changeTexts(), [["Broad 1 inserted"], ["Broad 1 updated p1"]])
  }

  @Test func `Classes that take each other's names keep their changes`() throws {
    _ = try makeOne(folder)
    try folder.execute("UPDATE Dog SET name = 'Rex'")
    let realm = try Realm(
      configuration: folder.ledger(nil, types: [Three.Human.self, Three.Person.self], version: 2) {
        migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        migration.renameClass(from: "Dog", to: "Person")
        migration.renameProperty(onType: "Human", from: "id", to: "number")
        migration.renameProperty(onType: "Human", from: "age", to: "years")
        migration.renameProperty(onType: "Person", from: "name", to: "title")
      })
    let history = try realm.history()
    expectEqual(
      history.map(\.texts),
      [
        [], ["Human 1 inserted", "Person 1 inserted"], ["Human 1 updated years"], [],
        ["Person 1 updated title"], [],
      ])
    expectEqual(history[1].changes(of: Three.Human.self).map(\.primaryKey), [.int(7)])
  }

  @Test func `Changes of what has gone aren't those of what has its name`() throws {
    _ = try makeOne(folder)
    try folder.execute("UPDATE Dog SET name = 'Rex'")
    _ = try Realm(
      configuration: folder.ledger(nil, types: [One.Person.self], version: 2) { migration, _ in
        migration.deleteData(forType: "Dog")
      })
    let realm = try Realm(
      configuration: folder.ledger(nil, types: [Four.Dog.self], version: 3) { migration, _ in
        migration.renameClass(from: "Person", to: "Dog")
        migration.renameProperty(onType: "Dog", from: "nick", to: "age")
      })
    try expectEqual(
      realm.history().map(\.texts),
      [
        [], ["Dog 1 inserted"], [], ["Dog 1 updated age"], [], [], [],
      ])
  }

  @Test func `Values of any type that were kept follow their names`() throws {
    do {
      let realm = try Realm(configuration: folder.ledger(types: [Boxed.Box.self], version: 1))
      try realm.write {
        let first = realm.create(Boxed.Box.self, value: ["content": 5])
        realm.create(Boxed.Box.self, value: ["content": first])
        realm.create(Boxed.Box.self, value: ["content": "text"])
      }
      try realm.write {
        let boxes = Array(realm.objects(Boxed.Box.self))
        realm.delete(boxes[1])
        realm.delete(boxes[0])
      }
    }
    try folder.execute("DELETE FROM Box")
    let realm = try Realm(
      configuration: folder.ledger(types: [Boxed.Crate.self], version: 2) { migration, _ in
        migration.renameClass(from: "Box", to: "Crate")
        migration.renameProperty(onType: "Crate", from: "content", to: "thing")
      })
    let kept = try realm.history().flatMap(\.changes).compactMap { change in
      if case .deleted(let kept) = change.kind { kept } else { nil }
    }
    expectEqual(
      kept,
      [
        ["thing": .int(5)], ["thing": .object(className: "Crate", identity: 1)],
        ["thing": .string("text")],
      ])
  }
}
