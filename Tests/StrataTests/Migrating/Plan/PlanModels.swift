import Strata
import StrataTestKit

/// Four versions of an address book: names are joined in the second, ages get another type in the
/// third under the same name as a removed property, the fourth has a key.
enum V1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
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
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

enum V3: VersionedSchema {
  static let version = 3
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = ""
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

enum V4: VersionedSchema {
  static let version = 4
  class Person: Object {
    @Persisted(primaryKey: true) var fullName = ""
    @Persisted var years = ""
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

extension MigrationStage {
  static let joinNames = MigrationStage.version(V2.self) { migration in
    migration.enumerateObjects(ofType: "Person") { old, new in
      new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
    }
  }
  static let ageAsText = MigrationStage.version(V3.self) { migration in
    migration.enumerateObjects(ofType: "Person") { old, new in
      new!["age"] = "\(old!["age"] as! Int)"
    }
  }
  static let renameAge = MigrationStage.version(V4.self).renaming("Person.age", to: "years")
}

extension SchemaMigrationPlan {
  static let all: SchemaMigrationPlan = [.version(V1.self), .joinNames, .ageAsText, .renameAge]
}

extension TestFolder {
  func plan(_ plan: SchemaMigrationPlan) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, migrationPlan: plan)
  }

  /// Opens the file at the first version of a plan, and writes in one transaction.
  func write<Version: VersionedSchema>(_ version: Version.Type, _ body: (Realm) -> Void) throws {
    let realm = try Realm(configuration: plan([.version(version)]))
    try realm.write { body(realm) }
  }

  /// Makes a file at version 1 with two persons, one of whom has a dog.
  func makeV1() throws {
    try write(V1.self) { realm in
      realm.create(
        V1.Person.self, value: ["Ada", "Lovelace", 36, [["Rex"]]] as [Any])
      realm.create(V1.Person.self, value: ["Alan", "Turing", 41])
    }
  }
}

extension Realm.Configuration {
  /// Opens the file, and returns what is reported of its migration.
  func reports() throws -> [MigrationReport] {
    let reports = Box<[MigrationReport]>([])
    var configuration = self
    configuration.didMigrate = { report in reports.append(report) }
    _ = try Realm(configuration: configuration)
    return reports.value
  }
}

extension MigrationReport {
  /// The numbers of objects of each class, by stages.
  var rows: [[String]] {
    stages.map { stage in
      stage.classes.map {
        "\($0.className): \($0.before) + \($0.created) - \($0.deleted) - \($0.merged) = \($0.after)"
      }
    }
  }
}
