import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Renamed classes, as docs/migrating.md shows them.
@Suite struct RenamingClassesTests {
  private enum People {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
    }
    class Club: Object {
      @Persisted var members: List<Person>
    }
  }

  private enum Humans {
    class Human: Object {
      @Persisted var name = ""
      @Persisted var years = 0
    }
    class Club: Object {
      @Persisted var members: List<Human>
    }
  }

  private static let rename: MigrationBlock = { migration, _ in
    migration.renameClass(from: "Person", to: "Human")
    migration.renameProperty(onType: "Human", from: "age", to: "years")
  }

  private func file() throws -> TestFile {
    let file = try TestFile()
    try file.write([People.Person.self, People.Club.self]) { realm in
      realm.create(People.Club.self, value: [[["name": "Ada", "age": 36], ["name": "Bob"]]])
    }
    return file
  }

  @Test func `Objects and links stay, under the new name`() throws {
    let file = try file()
    try file.migrate([Humans.Human.self, Humans.Club.self], to: 1, Self.rename)
    try file.open([Humans.Human.self, Humans.Club.self], version: 1) { realm in
      let club = try #require(realm.objects(Humans.Club.self).first)
      expectEqual(club.members.map(\.name), ["Ada", "Bob"])
      expectEqual(realm.objects(Humans.Human.self).map(\.years), [36, 0])
    }
  }

  @Test func `Without a block there are no humans, and no members`() throws {
    let file = try file()
    try file.open([Humans.Human.self, Humans.Club.self], version: 1) { realm in
      expectTrue(realm.objects(Humans.Human.self).isEmpty)
      expectEqual(realm.objects(Humans.Club.self).first?.members.isEmpty, true)
    }
  }

  @Test func `One class takes the name of another`() throws {
    enum Old {
      class Dog: Object {
        @Persisted var name = ""
      }
      class Pet: Object {
        @Persisted var kind = ""
      }
    }
    enum New {
      class Pet: Object {
        @Persisted var name = ""
      }
      class Animal: Object {
        @Persisted var kind = ""
      }
    }
    let file = try TestFile()
    try file.write([Old.Dog.self, Old.Pet.self]) { realm in
      realm.create(Old.Dog.self, value: ["Rex"])
      realm.create(Old.Pet.self, value: ["cat"])
    }
    let block: MigrationBlock = { migration, _ in
      migration.renameClass(from: "Pet", to: "Animal")
      migration.renameClass(from: "Dog", to: "Pet")
    }
    try file.migrate([New.Pet.self, New.Animal.self], to: 1, block)
    try file.open([New.Pet.self, New.Animal.self], version: 1) { realm in
      expectEqual(realm.objects(New.Pet.self).map(\.name), ["Rex"])
      expectEqual(realm.objects(New.Animal.self).map(\.kind), ["cat"])
    }
  }
}
