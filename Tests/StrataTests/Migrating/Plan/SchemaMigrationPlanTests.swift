import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct SchemaPlanTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `A file walks every stage up to the newest version`() throws {
    try folder.makeV1()
    do {
      let realm = try Realm(configuration: folder.plan(.all))
      let persons = realm.objects(V4.Person.self)
      expectEqual(persons.map(\.fullName), ["Ada Lovelace", "Alan Turing"])
      expectEqual(persons.map(\.years), ["36", "41"])
      expectEqual(persons.first?.dogs.map(\.name), ["Rex"])
    }
    try expectEqual(schemaVersionAtURL(folder.file), 4)
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.version), [1, 2, 3, 4])
    let ledger = try folder.texts("SELECT identifier FROM grdb_migrations ORDER BY rowid")
    expectEqual(
      ledger,
      [
        "strata schema version 1", "strata schema version 2", "strata schema version 3",
        "strata schema version 4",
      ])
  }

  @Test(arguments: [2, 3]) func `A file in between begins where it is`(_ version: Int) throws {
    try folder.makeV1()
    _ = try Realm(
      configuration: folder.plan(
        SchemaMigrationPlan(Array(SchemaMigrationPlan.all.stages[..<version]))))
    let realm = try Realm(configuration: folder.plan(.all))
    expectEqual(realm.objects(V4.Person.self).map(\.years), ["36", "41"])
  }

  @Test func `A new file begins at the last version and runs no closure`() throws {
    let plan: SchemaMigrationPlan = [
      .version(V1.self), .version(V2.self) { _ in Issue.record("A closure was called.") },
    ]
    let realm = try Realm(configuration: folder.plan(plan))
    try realm.write { realm.create(V2.Person.self, value: ["fullName": "Ada"]) }
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.version), [2])
  }

  @Test func `One stage at a time and all at once lead to the same file`() throws {
    let together = try TestFolder()
    try together.makeV1()
    _ = try Realm(configuration: together.plan(.all))
    let stepwise = try TestFolder()
    try stepwise.makeV1()
    let plan = SchemaMigrationPlan(SchemaMigrationPlan.all.stages, commits: .eachStage)
    _ = try Realm(configuration: stepwise.plan(plan))
    try expectEqual(
      together.dump().filter { !$0.isNumber }, stepwise.dump().filter { !$0.isNumber })
  }

  @Test func `A failing stage leaves the file as it was`() throws {
    struct Refusal: Error {}
    try folder.makeV1()
    let before = try folder.dump()
    let failing: SchemaMigrationPlan = [
      .version(V1.self), .joinNames, .version(V3.self) { _ in throw Refusal() },
    ]
    #expect(throws: Refusal.self) { try Realm(configuration: folder.plan(failing)) }
    try expectEqual(folder.dump(), before)
  }

  @Test func `The next opening continues where the last stage was committed`() throws {
    struct Refusal: Error {}
    try folder.makeV1()
    let failing = SchemaMigrationPlan(
      [.version(V1.self), .joinNames, .version(V3.self) { _ in throw Refusal() }],
      commits: .eachStage)
    #expect(throws: Refusal.self) { try Realm(configuration: folder.plan(failing)) }
    try expectEqual(schemaVersionAtURL(folder.file), 2)
    let realm = try Realm(configuration: folder.plan(.all))
    expectEqual(realm.objects(V4.Person.self).map(\.years), ["36", "41"])
  }

  @Test func `A later closure sees what the stage before made`() throws {
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self), .joinNames,
      .version(V3.self) { migration in
        expectTrue(migration.oldSchema["Person"]?["fullName"] != nil)
        expectNil(migration.oldSchema["Person"]?["firstName"])
        var seen: [String] = []
        migration.enumerateObjects(ofType: "Person") { old, new in
          seen.append("\(old!["fullName"]!) \(old!["age"]!)")
          let dogs = old!["dogs"] as! List<MigrationObject>
          seen += dogs.map { "\($0["name"]!)" }
          new!["age"] = "?"
          new!["fullName"] = "changed"
        }
        // The old side stays what it was.
        migration.enumerateObjects(ofType: "Person") { old, _ in
          seen.append("\(old!["fullName"]!)")
        }
        expectEqual(
          seen, ["Ada Lovelace 36", "Rex", "Alan Turing 41", "Ada Lovelace", "Alan Turing"])
      },
    ]
    let realm = try Realm(configuration: folder.plan(plan))
    expectEqual(realm.objects(V3.Person.self).map(\.fullName), ["changed", "changed"])
  }
}

@Suite struct LossTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func message(_ plan: SchemaMigrationPlan, _ folder: TestFolder) throws -> String {
    let before = try folder.dump()
    let error = #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.plan(plan))
    }
    try expectEqual(folder.dump(), before)
    return error?.message ?? ""
  }

  @Test func `A stage that would lose data is refused`() throws {
    try folder.makeV1()
    try expectEqual(
      message([.version(V1.self), .version(V2.self)], folder),
      """
      The migration to schema version 2 would lose data:
      - 'Person.firstName' is removed, but 2 rows still have a value
      - 'Person.lastName' is removed, but 2 rows still have a value
      Carry the values over in the closure of the stage, or say that they may go with \
      '.dropping("Person.firstName", "Person.lastName")'.
      """)
  }

  @Test func `Values that were declared to be dropped may be lost`() throws {
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self), .version(V2.self).dropping("Person.firstName", "Person.lastName"),
    ]
    let realm = try Realm(configuration: folder.plan(plan))
    expectEqual(realm.objects(V2.Person.self).map(\.fullName), ["", ""])
  }

  @Test func `A closure that doesn't read the values loses them as well`() throws {
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self),
      .version(V2.self) { migration in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["fullName"] = old!["firstName"]
        }
      },
    ]
    try expectEqual(
      message(plan, folder),
      """
      The migration to schema version 2 would lose data:
      - 'Person.lastName' is removed, but 2 rows still have a value
      Carry the values over in the closure of the stage, or say that they may go with \
      '.dropping("Person.lastName")'.
      """)
  }

  @Test func `A retyped property without a closure is refused`() throws {
    try folder.makeV1()
    let text = try message([.version(V1.self), .joinNames, .version(V3.self)], folder)
    expectTrue(
      text.contains(
        "- 'Person.age' changes from 'int' to 'string', but 2 rows still have a value"))
  }

  @Test func `A class without objects loses nothing`() throws {
    _ = try Realm(configuration: folder.plan([.version(V1.self)]))
    _ = try Realm(configuration: folder.plan([.version(V1.self), .version(V2.self)]))
    try expectEqual(schemaVersionAtURL(folder.file), 2)
  }
}
