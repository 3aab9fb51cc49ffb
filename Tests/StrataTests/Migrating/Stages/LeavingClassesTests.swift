import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Notes1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Address?
  }
  class Shop: Object {
    @Persisted var home: Address?
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
  class Note: Object {
    @Persisted var text = ""
  }
  class Shop_notes: Object {
    @Persisted var text = ""
  }
}

private enum Notes2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [Notes1.Shop.self, Notes1.Address.self]
}

private enum Notes3: VersionedSchema {
  static let version = 3
  class Shop: Object {
    @Persisted var home: Address?
    @Persisted var notes: List<String>
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
  class Note: Object {
    @Persisted var text = 0
  }
}

private enum Emptied2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Human.self, Notes1.Shop.self, Notes1.Address.self,
  ]
  class Human: Object {
    @Persisted var home: Notes1.Address?
  }
}

/// Classes that are removed from the plan, or added again under an earlier name.
@Suite struct LeavingClassesTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(Notes1.self) { realm in
      realm.create(Notes1.Person.self, value: ["name": "Ada", "home": ["city": "Rome"]])
      realm.create(Notes1.Shop.self, value: ["home": ["city": "Oslo"]])
      realm.create(Notes1.Note.self, value: ["text": "x"])
    }
  }

  @Test func `A class that comes back may drop the objects that files still have`() throws {
    let second = MigrationStage.version(Notes2.self).dropping("Shop_notes")
    expectError(containing: "'.dropping(\"Note.text\")'") {
      try Realm(
        configuration: folder.plan([.version(Notes1.self), second, .version(Notes3.self)]))
    }
    let realm = try Realm(
      configuration: folder.plan([
        .version(Notes1.self), second, .version(Notes3.self).dropping("Note.text"),
      ]))
    expectEqual(realm.objects(Notes3.Note.self).map(\.text), [0])
  }

  @Test func `A class that was removed without a declaration may be dropped later`() throws {
    _ = try Realm(
      configuration: folder.plan([
        .version(Notes1.self), .version(Notes2.self).dropping("Shop_notes"),
        .version(Notes3.self).dropping("Note.text", "Person"),
      ]))
    try expectEqual(folder.sql { try $0.tableExists("Person") }, false)
  }

  @Test func `A name is free when the class that had it was dropped on the way`() throws {
    for commits in [SchemaMigrationPlan.Commits.together, .eachStage] {
      let stages: [MigrationStage] = [
        .version(Notes1.self), .version(Notes2.self).dropping("Shop_notes", "Note"),
        .version(Notes3.self),
      ]
      let realm = try Realm(
        configuration: folder.plan(SchemaMigrationPlan(stages, commits: commits)))
      expectEqual(realm.objects(Notes3.Shop.self).first?.notes.isEmpty, true)
    }
  }

  @Test func `Objects embedded in a removed class are accounted for`() throws {
    let reports = try folder.plan([
      .version(Notes1.self), .version(Notes2.self).dropping("Person", "Note"),
    ]).reports()
    expectEqual(reports.map(\.rows), [[["Address: 2 + 0 - 1 - 0 = 1"]]])
  }

  @Test func `A class that was renamed and emptied has nothing to lose`() throws {
    let realm = try Realm(
      configuration: folder.plan([
        .version(Notes1.self),
        .version(Emptied2.self) { migration in migration.deleteData(forType: "Human") }
          .renamingClass("Person", to: "Human"),
      ]))
    expectTrue(realm.objects(Emptied2.Human.self).isEmpty)
    expectEqual(realm.objects(Notes1.Shop.self).first?.home?.city, "Oslo")
  }
}
