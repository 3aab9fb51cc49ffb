import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Homes1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var email = ""
    @Persisted var nickname: String?
    @Persisted var home: Home?
  }
  class Home: Object {
    @Persisted var city = ""
  }
  class Note: Object {
    @Persisted var text = ""
  }
}

private enum Homes2: VersionedSchema {
  static let version = 2
  class Person: Object {
    @Persisted(primaryKey: true) var email = ""
    @Persisted var nickname = "none"
    @Persisted var home: Home?
  }
  class Home: EmbeddedObject {
    @Persisted var city = ""
  }
}

private enum Renamed: VersionedSchema {
  static let version = 2
  class Human: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

@Suite struct MigrationPlanTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `A forecast says what an opening would do and does nothing`() throws {
    try folder.makeV1()
    let bytes = try Data(contentsOf: folder.file)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let plan = try Realm.migrationForecast(for: folder.plan(.all))
    expectEqual(plan.outcome, .migrate)
    expectEqual(plan.stages.map(\.to), [2, 3, 4])
    expectEqual(plan.stages.map(\.runsClosure), [true, true, false])
    expectTrue(plan.obstacles.isEmpty)
    try expectEqual(Data(contentsOf: folder.file), bytes)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), names)
    expectEqual(
      plan.description.replacing(folder.file.path, with: "test.sqlite"),
      """
      'test.sqlite' is migrated from schema version 1 to 4: 3 stages, 8 rows besides closures, no \
      obstacles.

      Version 1 to 2, with a closure:
           what                                  rows  size
        1  Drop column 'firstName' of 'Person'.     2  4 KB
        2  Drop column 'lastName' of 'Person'.      2  4 KB
        3  Add column 'fullName' to 'Person'.
        ?  'Person.firstName' loses its values in 2 rows, unless the closure handles it.
        ?  'Person.lastName' loses its values in 2 rows, unless the closure handles it.

      Version 2 to 3, with a closure:
           what                     rows  size
        1  Rebuild table 'Person'.     2  4 KB
        ?  'Person.age' loses its values in 2 rows, unless the closure handles it.

      Version 3 to 4:
           what                                          rows  size
        1  Rename property 'Person.age' to 'years'.
        2  Make 'fullName' the primary key of 'Person'.     2
        ?  'Person.fullName' becomes the primary key, and 1 value is in more than one of 2 rows ('' 2 \
      times), unless the closure handles it.
      """)
  }

  @Test func `Obstacles are found in the data`() throws {
    try folder.write(Homes1.self) { realm in
      let shared = realm.create(Homes1.Home.self, value: ["city": "Rome"])
      realm.create(Homes1.Home.self, value: ["city": "Nobody's"])
      for (email, nickname) in [("a", nil), ("a", "A"), ("b", nil)] as [(String, String?)] {
        let person = realm.create(Homes1.Person.self, value: ["email": email])
        person.nickname = nickname
        if email == "a" { person.home = shared }
      }
      realm.create(Homes1.Note.self, value: ["text": "x"])
    }
    let plan = try Realm.migrationForecast(
      for: folder.plan([
        .version(Homes1.self), .version(Homes2.self).dropping("Note"),
      ]))
    expectEqual(
      plan.stages[0].findings.map(\.kind),
      [
        .droppedClass(className: "Note", objects: 1),
        .nilInRequired(property: "Person.nickname", rows: 2),
        .duplicateKeys(
          property: "Person.email", values: 1, rows: 2, examples: ["'a' 2 times"]),
        .orphans(className: "Home", objects: 1),
        .sharedObjects(className: "Home", objects: 1),
      ])
    expectEqual(plan.obstacles.count, 3)
    expectEqual(
      plan.stages[0].findings.map(\.description),
      [
        "'Note' is dropped, with 1 object.",
        "'Person.nickname' becomes required, and is nil in 2 rows, which get the default.",
        "'Person.email' becomes the primary key, and 1 value is in more than one of 2 rows ('a' 2 "
          + "times): the migration fails.",
        "'Home' becomes embedded, and 1 object has no parent: the migration fails.",
        "'Home' becomes embedded, and 1 object has several parents: the migration fails.",
      ])
  }

  @Test func `Lost values are found in later stages too`() throws {
    try folder.makeV1()
    let plan = try Realm.migrationForecast(
      for: folder.plan([
        .version(V1.self), .joinNames, .version(V3.self),
      ]))
    expectEqual(
      plan.stages.map { $0.findings.map(\.description) },
      [
        [
          "'Person.firstName' loses its values in 2 rows, unless the closure handles it.",
          "'Person.lastName' loses its values in 2 rows, unless the closure handles it.",
        ],
        // The closure before might have deleted them.
        ["'Person.age' loses its values in 2 rows, unless the closure handles it."],
      ])
    expectTrue(plan.obstacles.isEmpty)
  }

  @Test func `A class that looks like a missing one is pointed out`() throws {
    try folder.makeV1()
    let configuration = Realm.Configuration(
      fileURL: folder.file, schemaVersion: 2, objectTypes: [Renamed.Human.self, Renamed.Dog.self])
    let findings = try Realm.migrationForecast(for: configuration).stages[0].findings
    expectEqual(
      findings.map(\.kind), [.looksRenamed(from: "Person", to: "Human", objects: 2)])
    expectEqual(
      findings.map(\.description),
      [
        "'Human' is new and looks like 'Person', whose 2 objects stay in a table that the program "
          + "doesn't know."
      ])
    let renamed = try Realm.migrationForecast(
      for: folder.plan([
        .version(V1.self),
        .version(Renamed.self).renamingClass("Person", to: "Human"),
      ]))
    expectEqual(renamed.stages[0].findings, [])
  }

  @Test func `Other outcomes have one line`() throws {
    let new = try Realm.migrationForecast(for: folder.plan(.all))
    expectEqual(new.outcome, .create)
    expectEqual(new.description, "'\(folder.file.path)' is created at schema version 4.")
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
    try folder.makeV1()
    let same = try Realm.migrationForecast(for: folder.plan([.version(V1.self)]))
    expectEqual(same.outcome, .nothing)
    expectEqual(
      same.description, "'\(folder.file.path)' is at schema version 1, and needs nothing.")
    var over = folder.plan(.all)
    over.deleteRealmIfMigrationNeeded = true
    try expectEqual(Realm.migrationForecast(for: over).outcome, .startOver)
  }

  @Test func `A migration block has a forecast`() throws {
    try folder.makeV1()
    let configuration = Realm.Configuration(
      fileURL: folder.file, schemaVersion: 9, migrationBlock: { _, _ in },
      objectTypes: [V2.Person.self, V2.Dog.self])
    let plan = try Realm.migrationForecast(for: configuration)
    expectEqual(plan.stages.map(\.to), [9])
    expectTrue(plan.obstacles.isEmpty)
    expectEqual(plan.stages[0].findings.map(\.consequence), [.dependsOnClosure, .dependsOnClosure])
  }

  @Test func `A file that can't be opened has no forecast`() throws {
    try folder.makeV1()
    _ = try Realm(configuration: folder.plan(.all))
    #expect(throws: Realm.Error.self) {
      try Realm.migrationForecast(for: folder.plan([.version(V1.self)]))
    }
  }

  @Test func `A file that begins as a copy of a seed has the forecast of the seed`() throws {
    try folder.makeV1()
    let seed = folder.url.appendingPathComponent("seed.sqlite")
    try FileManager.default.moveItem(at: folder.file, to: seed)
    let bytes = try Data(contentsOf: seed)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    var configuration = folder.plan(.all)
    configuration.seedFilePath = seed
    let plan = try Realm.migrationForecast(for: configuration)
    expectEqual(plan.path, folder.file.path)
    expectEqual(plan.seedPath, seed.path)
    expectEqual(plan.outcome, .migrate)
    expectEqual(plan.from, 1)
    expectEqual(plan.stages.map(\.to), [2, 3, 4])
    expectTrue(
      plan.description.hasPrefix(
        "'\(folder.file.path)' begins as a copy of the seed '\(seed.path)'. "
          + "It is migrated from schema version 1 to 4: 3 stages, 8 rows besides closures, "
          + "no obstacles.\n\nVersion 1 to 2"))
    try expectEqual(Data(contentsOf: seed), bytes)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), names)
    configuration.migrationPlan = [.version(V1.self)]
    try expectEqual(
      Realm.migrationForecast(for: configuration).description,
      "'\(folder.file.path)' begins as a copy of the seed '\(seed.path)'. "
        + "It is at schema version 1, and needs nothing.")
    // Where there is a file, the seed is not asked for.
    _ = try Realm(configuration: configuration)
    try expectNil(Realm.migrationForecast(for: configuration).seedPath)
  }

  @Test func `The forecast refuses a seed whose log has changes, as opening does`() throws {
    try folder.makeV1()
    let seed = folder.url.appendingPathComponent("seed.sqlite")
    try FileManager.default.moveItem(at: folder.file, to: seed)
    let other = try DatabaseQueue.otherProgram(at: seed)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; DELETE FROM Person")
    }
    var configuration = folder.plan(.all)
    configuration.seedFilePath = seed
    let plan = #expect(throws: Realm.Error.self) { try Realm.migrationForecast(for: configuration) }
    let opening = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    expectEqual(
      opening?.message.contains(
        "Some of its changes are in '\(seed.path)-wal' only. Close the seed in all programs"), true)
    expectEqual(plan?.message, opening?.message)
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
    try other.close()
    // Now everything is in the file.
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(V4.Person.self).count, 0)
  }

  @Test func `A missing seed is an error of the forecast, too`() throws {
    var configuration = folder.plan(.all)
    configuration.seedFilePath = folder.url.appendingPathComponent("none.sqlite")
    let plan = #expect(throws: Realm.Error.self) { try Realm.migrationForecast(for: configuration) }
    let opening = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    expectEqual(plan?.code, .fileNotFound)
    expectEqual(plan?.message, opening?.message)
  }
}
