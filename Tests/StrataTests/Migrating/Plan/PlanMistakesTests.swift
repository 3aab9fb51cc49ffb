import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Mistakes in plans, which are reported before any change.
@Suite struct PlanMistakesTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private enum Empty: VersionedSchema {
    static let version = 1
  }

  private enum Negative: VersionedSchema {
    static let version = -1
    static let objectTypes: [ObjectBase.Type] = [V1.Person.self, V1.Dog.self]
  }

  /// V1 with another type of a property.
  private enum Other: VersionedSchema {
    static let version = 1
    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = ""
      @Persisted var dogs: List<Dog>
    }
    class Dog: Object {
      @Persisted var name = ""
    }
  }

  private func message(_ configuration: Realm.Configuration) -> String {
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    return error?.message ?? ""
  }

  private func message(_ plan: SchemaMigrationPlan, from folder: TestFolder) throws -> String {
    let before = try folder.dump()
    let text = message(folder.plan(plan))
    try expectEqual(folder.dump(), before)
    return text
  }

  private func message(_ plan: SchemaMigrationPlan) throws -> String {
    let folder = try TestFolder()
    try folder.makeV1()
    return try message(plan, from: folder)
  }

  @Test func `A plan has versions`() throws {
    try expectEqual(
      message([]),
      """
      The schema plan is not valid:
      - It has no versions. List at least the one that the program is at.
      """)
  }

  @Test func `A gap is named`() throws {
    try expectEqual(
      message([.version(V1.self), .version(V3.self)]),
      """
      The schema plan is not valid:
      - Version 2 is missing between 1 and 3. Add it, as classes or frozen, or number the \
      versions without gaps.
      """)
    try expectTrue(
      message([.version(V1.self), .version(V4.self)]).contains(
        "- Versions 2 to 3 are missing between 1 and 4. Add them"))
  }

  @Test func `A gap may be as wide as the greatest number`() throws {
    let versions = try [Int.min, Int.max].map {
      MigrationStage.frozen(try FrozenSchema(version: $0, objectTypes: [V1.Dog.self]))
    }
    let text = message(folder.plan(SchemaMigrationPlan(versions)))
    expectTrue(text.contains("- Version \(Int.min) is less than 0. Versions begin at 0."))
    expectTrue(text.contains("are missing between \(Int.min) and \(Int.max)."))
  }

  @Test func `A version is listed once`() throws {
    try expectEqual(
      message([.version(V1.self), .version(V1.self)]),
      """
      The schema plan is not valid:
      - Version 1 is listed twice. Remove one of the two, or give it a number of its own.
      """)
  }

  @Test func `Versions go up`() throws {
    try expectEqual(
      message([.version(V2.self), .version(V1.self)]),
      """
      The schema plan is not valid:
      - Version 1 comes after version 2. List versions in ascending order.
      """)
    try expectTrue(
      message([.version(Negative.self)]).contains(
        "- Version -1 is less than 0. Versions begin at 0."))
  }

  @Test func `A version has classes`() throws {
    try expectTrue(
      message([.version(Empty.self)]).contains(
        "'Empty' has no model classes. Declare them inside of it, or list them in its 'objectTypes'."
      ))
  }

  @Test func `A file older than the plan is left unchanged`() throws {
    let text = try message([.version(V2.self), .version(V3.self)])
    expectTrue(
      text.hasSuffix(
        "is at schema version 1, and the plan begins at version 2. Add the versions from 1 on to the "
          + "plan: as classes, or frozen."))
  }

  @Test func `A file newer than the plan is left unchanged`() throws {
    try folder.makeV1()
    _ = try Realm(configuration: folder.plan(.all))
    try expectEqual(
      message([.version(V1.self), .joinNames], from: folder),
      "Provided schema version 2 is less than last set version 4.")
  }

  @Test func `A version must match the files that have it`() throws {
    try folder.makeV1()
    let before = try folder.dump()
    expectError(
      ending: """
        is at schema version 1, and the plan says otherwise of that version than the file. What the \
        plan has changed:
        - Property 'Person.age' has been changed from 'int' to 'string'.
        Correct version 1 of the plan, and describe changes as a new version.
        """, code: .schemaMismatch
    ) {
      try Realm(configuration: folder.plan([.version(Other.self), .version(V2.self)]))
    }
    try expectEqual(folder.dump(), before)
  }

  @Test func `Declarations are checked`() throws {
    let text = try message([
      .version(V1.self),
      .version(V2.self).dropping("Person.agee").renaming("Person.name", to: "fullname")
        .embedding("Dog"),
    ])
    expectEqual(
      text,
      """
      The schema plan is not valid:
      - Version 2, '.renaming("Person.name", to: "fullname")': the version before has no such \
      property.
      - Version 2, '.renaming("Person.name", to: "fullname")': the version has no property of the \
      new name.
      - Version 2, '.dropping("Person.agee")': the stage removes nothing of that name. It removes: \
      Person.firstName, Person.lastName.
      - Version 2, '.embedding("Dog")': the class doesn't become an embedded one in this stage. \
      Remove it, or correct the name.
      """)
  }

  /// With an optional age.
  private enum Optional1: VersionedSchema {
    static let version = 1
    class Person: Object {
      @Persisted var age: Int?
      @Persisted var name = ""
      @Persisted var dogs: List<Dog>
    }
    class Dog: Object {
      @Persisted var name = ""
    }
    class Cat: Object {
      @Persisted var name = ""
    }
  }

  private enum Required2: VersionedSchema {
    static let version = 2
    class Person: Object {
      @Persisted var years = 0
      @Persisted var name = ""
      @Persisted var fullName = ""
      @Persisted var pack: List<String>
    }
    class Cat: Object {
      @Persisted var name = ""
    }
    class Lion: Object {
      @Persisted var name = ""
    }
  }

  @Test func `An impossible rename is reported before anything is changed`() throws {
    do { _ = try Realm(configuration: folder.plan([.version(Optional1.self)])) }
    let plan: SchemaMigrationPlan = [
      .version(Optional1.self),
      .version(Required2.self).renaming("Person.age", to: "years")
        .renaming("Person.name", to: "fullName").renaming("Person.dogs", to: "pack")
        .renamingClass("Dog", to: "Cat").renamingClass("Cat", to: "Lion"),
    ]
    let expected = """
      The schema plan is not valid:
      - Version 2, '.renamingClass("Dog", to: "Cat")': the version before has a class 'Cat' already. \
      Rename that one first; two classes that exchange their names keep those of the file: override \
      '_realmObjectName()' in both.
      - Version 2, '.renaming("Person.age", to: "years")': the property changes from optional to \
      required, which a rename can't do. Carry the values over in the closure of the stage.
      - Version 2, '.renaming("Person.name", to: "fullName")': the version still has a property of the \
      old name. Remove it from the version, or carry the values over in the closure of the stage.
      - Version 2, '.renaming("Person.dogs", to: "pack")': the type changes from 'array<Lion>' to \
      'array<string>', which a rename can't do. Carry the values over in the closure of the stage.
      """
    try expectEqual(message(plan, from: folder), expected)
    expectError(expected) {
      try Realm.migrationForecast(for: folder.plan(plan))
    }
    try expectEqual(
      message(
        [.version(Optional1.self), .version(Required2.self).renamingClass("Cat", to: "Lion")],
        from: folder),
      """
      The schema plan is not valid:
      - Version 2, '.renamingClass("Cat", to: "Lion")': the version still has a class 'Cat'. Remove \
      it from the version, or rename another class to it.
      """)
  }

  @Test func `The first version has no stage`() throws {
    try expectTrue(
      message([.version(V1.self) { _ in }, .version(V2.self)]).contains(
        "- Version 1 is the first one, and has a closure or declarations"))
  }

  @Test func `Only the last version is the current one`() throws {
    let plan: SchemaMigrationPlan = [.current(version: 1), .version(V2.self)]
    try expectTrue(message(plan).contains("'.current(version: 1)' is not the last one"))
  }

  @Test func `A configuration has a block or a plan`() throws {
    var configuration = folder.plan([.version(V1.self)])
    configuration.migrationBlock = { _, _ in }
    expectEqual(
      message(configuration),
      "Cannot set `migrationBlock` when `migrationPlan` is set: move what the "
        + "block does into the stages of the plan.")
    configuration.migrationBlock = nil
    configuration.schemaVersion = 3
    expectEqual(
      message(configuration),
      "Cannot set schema version to 3 when `migrationPlan` ends with version "
        + "1: remove `schemaVersion`.")
    configuration.schemaVersion = 1
    configuration.objectTypes = [V1.Dog.self]
    expectTrue(message(configuration).contains("Remove 'objectTypes', or end the plan with"))
  }
}

@Suite struct FrozenSchemaTests {
  private let v1 = { () throws in
    try FrozenSchema(version: 1, objectTypes: [V1.Person.self, V1.Dog.self])
  }

  @Test func `A frozen schema reads as it was written`() throws {
    let frozen = try v1()
    try expectEqual(FrozenSchema(json: frozen.json), frozen)
    try expectTrue(frozen.json.contains("\"fingerprint\" : \""))
  }

  @Test func `An edited frozen schema is refused`() throws {
    let edited = try v1().json.replacingOccurrences(of: "lastName", with: "surname")
    let error = #expect(throws: Realm.Error.self) { try FrozenSchema(json: edited) }
    expectEqual(
      error?.message.hasPrefix(
        "The frozen schema text of version 1 was edited: its fingerprint is '"), true)
    expectEqual(
      error?.message.hasSuffix(
        "Restore the schema from version control, and describe changes as a new version."), true)
  }

  @Test func `A file that is not a frozen schema is refused`() throws {
    expectError(beginning: "The frozen schema text can't be read: ") {
      try FrozenSchema(json: "{}")
    }
    expectError(
      beginning: "The frozen schema '/nowhere/v1.json' can't be read", code: .fileNotFound
    ) {
      try FrozenSchema(contentsOf: URL(fileURLWithPath: "/nowhere/v1.json"))
    }
  }

  @Test func `Old versions may be frozen and the newest be the classes of the program`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    let v3 = try FrozenSchema(version: 3, objectTypes: [V3.Person.self, V3.Dog.self])
    let plan: SchemaMigrationPlan = [
      .frozen(try v1()), .joinNames,
      .frozen(v3) { migration in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["age"] = "\(old!["age"]!)"
        }
        let dog = migration.create("Dog", value: ["name": "Made"])
        migration.create("Person", value: ["fullName": "New", "dogs": [dog, ["name": "Inside"]]])
      },
      .current(version: 4).renaming("Person.age", to: "years"),
    ]
    var configuration = folder.plan(plan)
    configuration.objectTypes = [V4.Person.self, V4.Dog.self]
    let realm = try Realm(configuration: configuration)
    let persons = realm.objects(V4.Person.self)
    expectEqual(persons.map(\.fullName), ["Ada Lovelace", "Alan Turing", "New"])
    expectEqual(persons.map(\.years), ["36", "41", ""])
    expectEqual(persons.last?.dogs.map(\.name), ["Made", "Inside"])
  }

  @Test func `Classes that are no longer the frozen newest version are refused`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    var configuration = folder.plan([
      .frozen(try v1()), .frozen(FrozenSchema(version: 2, schema: try v1().schema)),
    ])
    configuration.objectTypes = [V2.Person.self, V2.Dog.self]
    expectError(
      """
      The classes of the program are not those of the frozen version 2:
      - Property 'Person.firstName' has been removed.
      - Property 'Person.lastName' has been removed.
      - Property 'Person.fullName' has been added.
      Add a version 3 for the change.
      """, code: .schemaMismatch
    ) { try Realm(configuration: configuration) }
  }
}
