import Foundation
import Strata
import StrataTestSupport

enum V1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

enum V2: VersionedSchema {
  static let version = 2
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

/// The second version once more, with a property that no stage mentions.
enum ChangedV2: VersionedSchema {
  static let version = 2
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted(indexed: true) var age: Int?
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

extension MigrationStage {
  static let joinNames = MigrationStage.version(V2.self) { migration in
    migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
      new.fullName = old.firstName + " " + old.lastName
    }
  }
}

func configuration(_ plan: SchemaMigrationPlan) -> Realm.Configuration {
  Realm.Configuration(migrationPlan: plan)
}

/// A folder for fixtures that a test writes.
final class FixtureFolder {
  let fixtures: SchemaFixtures

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-fixtures-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    var fixtures = SchemaFixtures("People", in: url)
    fixtures.writesNewVersions = true
    self.fixtures = fixtures
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: fixtures.directory)
    } catch {
      // It stays with the other temporary files of the system.
    }
  }

  /// Freezes the first version with two persons, one of whom has a dog.
  func freezeV1() throws {
    try fixtures.expectFrozen(configuration([.version(V1.self)])) { realm in
      try realm.write {
        realm.create(V1.Person.self, value: ["Ada", "Lovelace", [["Rex"]]] as [Any])
        realm.create(V1.Person.self, value: ["Alan", "Turing"])
      }
    }
  }
}
