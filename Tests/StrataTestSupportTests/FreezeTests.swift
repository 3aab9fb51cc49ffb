import Foundation
import Strata
import StrataTestSupport
import Testing

/// V1 with its properties and classes in another order.
private enum ReorderedV1: VersionedSchema {
  static let version = 1
  class Dog: Object {
    @Persisted var name = ""
  }
  class Person: Object {
    @Persisted var dogs: List<Dog>
    @Persisted var lastName = ""
    @Persisted var firstName = ""
  }
}

/// A class with indexes of both kinds.
private enum Searched: VersionedSchema {
  static let version = 1
  class Page: Object {
    @Persisted(indexed: true) var title = ""
    @Persisted(fullText: true) var text = ""
  }
}

@Suite struct FreezeTests {
  @Test func `Full-text indexes are frozen with their words`() throws {
    let folder = try FixtureFolder()
    try folder.fixtures.expectFrozen(configuration([.version(Searched.self)])) { realm in
      try realm.write { _ = realm.create(Searched.Page.self, value: ["One", "the quick fox"]) }
    }
    let json = folder.fixtures.directory.appendingPathComponent("People-v1.json")
    #expect(try String(contentsOf: json, encoding: .utf8).contains("\"fullText\""))
    // The second time the classes are compared with the file.
    try folder.fixtures.expectFrozen(configuration([.version(Searched.self)]))
    let copy = folder.fixtures.directory.appendingPathComponent("copy.sqlite")
    try FileManager.default.copyItem(
      at: folder.fixtures.directory.appendingPathComponent("People-v1.sqlite"), to: copy)
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: copy, migrationPlan: [.version(Searched.self)]))
    #expect(realm.objects(Searched.Page.self).filter("text TEXT 'FOX'").map(\.title) == ["One"])
  }

  @Test func `The first time the files of a version are written`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let fixtures = folder.fixtures
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixtures.directory.path).sorted() == [
        "People-v1.json", "People-v1.sql", "People-v1.sqlite",
      ])
    #expect(try fixtures.versions() == [1])
    #expect(try fixtures.schema(1).version == 1)
    let sql = try String(
      contentsOf: fixtures.directory.appendingPathComponent("People-v1.sql"), encoding: .utf8)
    #expect(sql.contains("CREATE TABLE \"Person\""))
    #expect(sql.contains("INSERT INTO \"Person\" VALUES (1, 'Ada', 'Lovelace');"))
  }

  @Test func `A version without files fails where none are to be written`() async throws {
    let folder = try FixtureFolder()
    var fixtures = folder.fixtures
    fixtures.writesNewVersions = false
    let failures = try await issues {
      let frozen = try fixtures.expectFrozen(configuration([.version(V1.self)]))
      #expect(frozen == nil)
    }
    #expect(failures.count == 1)
    let missing = fixtures.directory.appendingPathComponent("People-v1.json").path
    #expect(
      failures.first?.text.contains(
        "Schema version 1 is not frozen: '\(missing)' is missing.") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixtures.directory.path) == [])
  }

  @Test func `The same classes stay frozen`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let frozen = try folder.fixtures.expectFrozen(configuration([.version(V1.self)])) { _ in
      Issue.record("A version that is there is not written again.")
    }
    #expect(try frozen == folder.fixtures.schema(1))
  }

  @Test func `The order of properties is not a change`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let frozen = try folder.fixtures.expectFrozen(configuration([.version(ReorderedV1.self)]))
    #expect(try frozen == folder.fixtures.schema(1))
  }

  @Test func `A freeze that was cut short begins again`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let directory = folder.fixtures.directory
    try FileManager.default.removeItem(at: directory.appendingPathComponent("People-v1.json"))
    try Data("half".utf8).write(to: folder.fixtures.database(1))
    try folder.freezeV1()
    #expect(try folder.fixtures.schema(1).version == 1)
    #expect(try schemaVersionAtURL(folder.fixtures.database(1)) == 1)
  }

  @Test func `Classes that changed without a new version fail with the difference`() async throws {
    let folder = try FixtureFolder()
    try folder.fixtures.expectFrozen(configuration([.version(V2.self)]))
    var line = 0
    let failures = try await issues {
      line = #line + 1
      try folder.fixtures.expectFrozen(configuration([.version(ChangedV2.self)]))
    }
    let failure = try #require(failures.first)
    #expect(failures.count == 1)
    #expect(failure.line == line)
    #expect(failure.file == "FreezeTests.swift")
    #expect(
      failure.text.contains("The model classes changed, and the schema version is still 2:"))
    #expect(failure.text.contains("Person.age: int?, indexed"))
    #expect(failure.text.contains("Raise the version to 3, and migrate files to it."))
  }

  @Test func `A frozen schema that was edited is an error`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let url = folder.fixtures.directory.appendingPathComponent("People-v1.json")
    let edited = try String(contentsOf: url, encoding: .utf8)
      .replacingOccurrences(of: "lastName", with: "surname")
    try edited.write(to: url, atomically: true, encoding: .utf8)
    let error = #expect(throws: Realm.Error.self) {
      try folder.fixtures.expectFrozen(configuration([.version(V1.self)]))
    }
    #expect(error?.message.contains("was edited") == true)
  }
}

@Suite struct VerifyTests {
  @Test func `Every frozen version is migrated by every way of opening`() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let plan: SchemaMigrationPlan = [.version(V1.self), .joinNames]
    try folder.fixtures.expectFrozen(configuration(plan)) { realm in
      try realm.write { realm.add(V2.Person(value: ["fullName": "Ada Lovelace"])) }
    }
    var calls: [Int] = []
    try await folder.fixtures.verifyMigrations(to: configuration(plan)) { version, realm in
      calls.append(version)
      #expect(realm.objects(V2.Person.self).first?.fullName == "Ada Lovelace")
    }
    #expect(calls == Array(repeating: 1, count: 6) + Array(repeating: 2, count: 6))
  }

  @Test func `Frozen schemas replace old classes`() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let frozen = try folder.fixtures.schema(1)
    try await folder.fixtures.verifyMigrations(
      to: configuration([
        .frozen(frozen),
        .version(V2.self) { migration in
          migration.enumerateObjects(ofType: "Person") { old, new in
            new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
          }
        },
      ])
    ) { _, realm in
      expectRows(
        of: "Person", in: realm,
        """
        _id | fullName | dogs
        1 | 'Ada Lovelace' | [1]
        2 | 'Alan Turing' | []
        """)
    }
  }

  @Test func `A migration that is refused fails the test`() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    var line = 0
    let failures = try await issues {
      line = #line + 1
      try await folder.fixtures.verifyMigrations(
        to: configuration([.version(V1.self), .version(V2.self)]))
    }
    #expect(failures.count == 6)
    #expect(failures.allSatisfy { $0.line == line })
    #expect(
      failures.first?.text.contains(
        "Version 1, migrated by 'Realm(configuration:)', can't be migrated: The migration to schema "
          + "version 2 would lose data:") == true)
  }

  @Test func `A migration with another result each time fails the test`() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self),
      .version(V2.self) { migration in
        migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
          new.fullName = "\(old.firstName) \(old.lastName) \(UUID())"
        }
      },
    ]
    let failures = try await issues {
      try await folder.fixtures.verifyMigrations(to: configuration(plan))
    }
    #expect(failures.count == 5)
    #expect(
      failures.first?.text.contains(
        "Version 1 has other contents after 'Realm.performMigration(for:)' than after "
          + "'Realm(configuration:)':") == true)
    try await folder.fixtures.verifyMigrations(
      to: configuration(plan), ignoring: ["Person.fullName"])
  }

  @Test func `A folder without databases fails the test`() async throws {
    let folder = try FixtureFolder()
    let failures = try await issues {
      try await folder.fixtures.verifyMigrations(to: configuration([.version(V1.self)]))
    }
    #expect(failures.first?.text.contains("Freeze the version with 'expectFrozen' first.") == true)
  }

  @Test func `A database that is damaged fails the test`() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    try Data("no database".utf8).write(to: folder.fixtures.database(1))
    await #expect(throws: (any Error).self) {
      try await folder.fixtures.verifyMigrations(
        to: configuration([.version(V1.self), .joinNames]))
    }
  }

  @Test func `A migration of the program can be told to fail`() throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    var configuration = configuration([.version(V1.self), .joinNames])
    configuration.fileURL = folder.fixtures.database(1)
    let before = try Data(contentsOf: folder.fixtures.database(1))
    #expect(throws: InjectedFailure(version: 2)) {
      try Realm(configuration: configuration.failing(atEndOf: 2))
    }
    expectRows(
      of: "Person", at: folder.fixtures.database(1),
      """
      _id | firstName | lastName   | dogs
      1   | 'Ada'     | 'Lovelace' | [1]
      2   | 'Alan'    | 'Turing'   | []
      """)
    #expect(before.count == (try Data(contentsOf: folder.fixtures.database(1))).count)
  }
}
