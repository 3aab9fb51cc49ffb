import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var nickname: String?
  }
}

private enum V1 {
  class Person: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted(indexed: true) var fullName = ""
    @Persisted var yearsSinceBirth = 0
    @Persisted var nickname: String?
  }
}

private enum Text {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = ""
    @Persisted var nickname = ""

    override static func primaryKey() -> String? { "id" }
  }
}

extension FourWays {
  /// The code in Realm's documentation and examples, unchanged.
  @Suite("Source forms") struct SourceFormsTests {
    fileprivate typealias Person = V1.Person

    private let file: TestFile

    init() throws {
      file = try TestFile()
      try file.write([V0.Person.self]) { realm in
        realm.add(V0.Person(value: [42, "Ada", "Lovelace", 36, "Countess"]))
        realm.add(V0.Person(value: ["id": 43, "firstName": "Bob", "lastName": "B", "age": 7]))
      }
    }

    @Test func `Configurations compile and migrate in each form`() {
      let first = Realm.Configuration(schemaVersion: 2)
      expectEqual(first.schemaVersion, 2)
      expectNil(first.migrationBlock)
      let second = Realm.Configuration(
        schemaVersion: 2,
        migrationBlock: { migration, oldSchemaVersion in
          if oldSchemaVersion < 2 {
            migration.enumerateObjects(ofType: Person.className()) { _, _ in }
          }
        })
      expectTrue(second.migrationBlock != nil)
      let third = Realm.Configuration(schemaVersion: 3) { _, _ in }
      expectEqual(third.schemaVersion, 3)
      expectTrue(third.migrationBlock != nil)
      let migrationBlock: MigrationBlock = { _, _ in }
      var fourth = Realm.Configuration()
      fourth.migrationBlock = migrationBlock
      fourth.deleteRealmIfMigrationNeeded = true
      expectEqual(fourth.schemaVersion, 0)
      expectEqual(fourth.fileURL, Realm.Configuration.defaultFileURL)
    }

    @Test
    func `The default configuration migrates with a block of stages and try! Realm()`() throws {
      var config = Realm.Configuration(
        schemaVersion: 2,
        migrationBlock: { migration, oldSchemaVersion in
          if oldSchemaVersion < 1 {
            migration.renameProperty(
              onType: Person.className(), from: "age", to: "yearsSinceBirth")
          }
          if oldSchemaVersion < 2 {
            migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
              let firstName = oldObject!["firstName"] as? String
              let lastName = oldObject!["lastName"] as? String
              newObject!["fullName"] = "\(firstName!) \(lastName!)"
              newObject!["id"] = "\(oldObject!["id"]!)"
            }
          }
        })
      config.fileURL = file.url
      config.objectTypes = [V1.Person.self]
      let before = Realm.Configuration.defaultConfiguration
      defer { Realm.Configuration.defaultConfiguration = before }
      Realm.Configuration.defaultConfiguration = config
      let realm = try! Realm()
      let people = realm.objects(Person.self).sorted(byKeyPath: "fullName")
      expectEqual(people.map(\.fullName), ["Ada Lovelace", "Bob B"])
      expectEqual(people.map(\.yearsSinceBirth), [36, 7])
      expectEqual(realm.object(ofType: Person.self, forPrimaryKey: "42")?.nickname, "Countess")
      try expectEqual(schemaVersionAtURL(config.fileURL!), 2)
    }

    @Test func `Realm(fileURL:) takes the rest from the default configuration`() throws {
      try withDefault(Realm.Configuration(objectTypes: [V0.Person.self])) {
        let realm = try Realm(fileURL: file.url)
        expectEqual(realm.objects(V0.Person.self).count, 2)
      }
    }

    @Test func `performMigration works with try!, and an optional becomes nil`() throws {
      let config = file.configuration([V0.Person.self], version: 1) { migration, _ in
        migration.enumerateObjects(ofType: V0.Person.className()) { oldObject, newObject in
          newObject!["nickname"] = nil
          newObject?["lastName"] = oldObject?["firstName"] as? String
        }
      }
      try! Realm.performMigration(for: config)
      try expectEqual(file.values("Person", "nickname"), ["nil", "nil"])
      try expectEqual(file.values("Person", "lastName"), ["Ada", "Bob"])
    }

    @Test func `A number becomes a text, with a default for nil`() throws {
      try file.migrate([Text.Person.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: Text.Person.className()) { oldObject, newObject in
          newObject!["age"] = "\(oldObject!["age"] ?? 0)"
          newObject!["nickname"] = oldObject!["nickname"] as? String ?? "none"
        }
      }
      try expectEqual(file.values("Person", "age"), ["36", "7"])
      try expectEqual(file.values("Person", "nickname"), ["Countess", "none"])
    }

    @Test func `A default may have another type than the property`() throws {
      try file.migrate([Text.Person.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: Text.Person.className()) { oldObject, newObject in
          newObject!["age"] = "\(oldObject!["age"] ?? "unknown")"
        }
      }
      try expectEqual(file.values("Person", "age"), ["36", "7"])
    }

    @Test func `A default for nil is assigned to another object`() throws {
      try file.migrate([Text.Person.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: Text.Person.className()) { oldObject, newObject in
          newObject!["nickname"] = oldObject!["nickname"] ?? "none"
        }
      }
      try expectEqual(file.values("Person", "nickname"), ["Countess", "none"])
    }

    @Test func `create accepts an array, also with optionals in it`() throws {
      try file.migrate([V0.Person.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
          guard oldObject!["firstName"] as? String == "Ada" else { return }
          migration.create(
            V0.Person.className(), value: [44, oldObject!["firstName"], "II"] as [Any?])
          migration.delete(newObject!)
        }
      }
      try expectEqual(file.values("Person", "firstName"), ["Bob", "Ada"])
      try expectEqual(file.values("Person", "lastName"), ["B", "II"])
    }

    @Test func `A guard asks the schema whether an old property exists`() throws {
      try file.migrate([V0.Person.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
          if oldObject!.objectSchema["middleName"] != nil {
            newObject!["lastName"] = oldObject!["middleName"]
          }
        }
      }
      try expectEqual(file.values("Person", "lastName"), ["Lovelace", "B"])
    }

    @Test func `A closure may have the type of the block`() throws {
      try file.migrate([V0.Person.self], to: 1) { migration, _ in
        let block: MigrationObjectEnumerateBlock = { _, newObject in newObject?["age"] = 1 }
        migration.enumerateObjects(ofType: "Person", block)
      }
      try expectEqual(file.values("Person", "age"), ["1", "1"])
    }
  }
}
