import Foundation
import Strata
import StrataTestSupport
import Testing

@Suite struct RowTests {
  private func frozen() throws -> FrozenSchema {
    try FrozenSchema(version: 1, objectTypes: [V1.Person.self, V1.Dog.self])
  }

  private func url(_ folder: FixtureFolder) -> URL {
    folder.fixtures.directory.appendingPathComponent("built.sqlite")
  }

  @Test func `A database is built from literal rows without classes`() async throws {
    let folder = try FixtureFolder()
    try frozen().makeDatabase(
      at: url(folder),
      rows: [
        "Person": [
          ["firstName": "Ada", "lastName": "Lovelace", "dogs": [["name": "Rex"]]],
          ["Alan", "Turing"],
        ]
      ])
    #expect(try schemaVersionAtURL(url(folder)) == 1)
    expectRows(
      of: "Person", at: url(folder),
      """
      _id | firstName | lastName   | dogs
      1   | 'Ada'     | 'Lovelace' | [1]
      2   | 'Alan'    | 'Turing'   | []
      """)
    var configuration = configuration([.version(V1.self), .joinNames])
    configuration.fileURL = url(folder)
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(V2.Person.self).first?.dogs.first?.name == "Rex")
  }

  @Test func `A closure makes objects that several others link to`() throws {
    let folder = try FixtureFolder()
    try frozen().makeDatabase(at: url(folder)) { migration in
      let dog = migration.create("Dog", value: ["name": "Rex"])
      migration.create("Person", value: ["firstName": "Ada", "dogs": [dog]])
      migration.create("Person", value: ["firstName": "Alan", "dogs": [dog]])
    }
    expectRows(
      of: "Person", at: url(folder),
      """
      _id | firstName | lastName | dogs
      1 | 'Ada' | '' | [1]
      2 | 'Alan' | '' | [1]
      """)
  }

  @Test func `A row that doesn't fit is an error and makes no file`() throws {
    let folder = try FixtureFolder()
    let error = #expect(throws: Realm.Error.self) {
      try frozen().makeDatabase(at: url(folder), rows: ["Person": [["surname": "Turing"]]])
    }
    #expect(
      error?.message == "Invalid property name 'surname' for class 'Person'. It has: firstName, "
        + "lastName, dogs.")
    #expect(!FileManager.default.fileExists(atPath: url(folder).path))
  }

  @Test func `Rows that differ fail the test at its line`() async throws {
    let folder = try FixtureFolder()
    try frozen().makeDatabase(at: url(folder), rows: ["Dog": [["Rex"]]])
    var line = 0
    let failures = try await issues {
      line = #line + 1
      expectRows(
        of: "Dog", at: url(folder),
        """
        _id | name
        1 | 'Max'
        """)
    }
    #expect(failures.first?.line == line)
    let text = failures.first?.text ?? ""
    #expect(text.contains("The objects of 'Dog' are not those that were expected:"))
    #expect(text.contains("1   | 'Rex'"))
    #expect(text.contains("1   | 'Max'"))
  }

  @Test func `A missing class fails the test`() async throws {
    let folder = try FixtureFolder()
    try frozen().makeDatabase(at: url(folder), rows: [:])
    let failures = try await issues { expectRows(of: "Cat", at: url(folder), "_id") }
    #expect(failures.count == 1)
  }
}

@Suite struct TemporaryRealmTests {
  @Test func `A temporary realm is empty, and is removed`() throws {
    var url: URL?
    try withTemporaryRealm(configuration([.version(V1.self)])) { realm in
      #expect(realm.isEmpty)
      try realm.write { realm.create(V1.Dog.self, value: ["name": "Rex"]) }
      url = realm.configuration.fileURL
    }
    #expect(!FileManager.default.fileExists(atPath: try #require(url).path))
  }

  @Test func `A realm that is left open fails the test`() async throws {
    var kept: Realm?
    var line = 0
    let failures = try await issues {
      line = #line + 1
      try withTemporaryRealm(configuration([.version(V1.self)])) { kept = $0 }
    }
    #expect(failures.first?.line == line)
    #expect(failures.first?.text.contains("The realm of the test is still open") == true)
    #expect(kept != nil)
  }
}
