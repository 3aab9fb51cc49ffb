import Foundation
import Strata

/// The code of docs/moving.md, in a program of version 4 whose users have files of RealmSwift.
enum MovingGuide {
  class Person: Object {
    @Persisted(indexed: true) var fullName = ""
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>
    @Persisted var dogMap: Map<String, Dog?>
    @Persisted var friend: Person?
    @Persisted var address: Address?
    @Persisted var addresses: List<Address>
    @Persisted var addressMap: Map<String, Address?>
  }

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dogs") var walkers: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var country: Country?
  }

  class Country: EmbeddedObject {
    @Persisted var code = ""
    @Persisted var tags: List<String>
  }

  /// The configuration of the program as it was with RealmSwift.
  static func configuration(_ fileURL: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: fileURL, schemaVersion: 4,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 4 {
          migration.renameProperty(onType: "Person", from: "name", to: "fullName")
          migration.deleteData(forType: "Never")
        }
      }, objectTypes: [Person.self, Dog.self, Address.self, Country.self])
  }

  static func move(_ configuration: inout Realm.Configuration, _ oldURL: URL, _ newURL: URL) {
    configuration.fileURL = newURL
    configuration.convertsRealmFile = .automatically(
      from: oldURL,
      didConvert: { report in
        print("\(report.written.objects) of \(report.read.objects) objects")
      })
  }

  static func state(
    _ configuration: Realm.Configuration, _ newURL: URL
  ) throws -> (versions: [UInt64], isSound: Bool) {
    let versions = try Realm.migrationHistory(at: newURL).map(\.version)
    let problems = try Realm.problems(for: configuration)
    return (versions, problems.isEmpty)
  }

  static func names(_ realm: Realm, _ condition: String) throws -> [String] {
    let people = try realm.objects(Person.self).filter(validating: condition)
    return people.map(\.fullName)
  }

  static func follow(_ realm: Realm, _ show: (String) -> Void) async throws {
    for try await change in realm.objects(Person.self).changes() {
      if case .initial(let people) = change { show("\(people.count) people") }
      guard case .update(let people, _, let insertions, _) = change else { continue }
      for index in insertions { show(people[index].fullName) }
    }
  }

  static func goLive(_ configuration: inout Realm.Configuration) throws -> MigrationForecast {
    configuration.opensNewerVersions = true
    configuration.migrationBackup = MigrationBackup(keeping: 3)
    let forecast = try Realm.migrationForecast(for: configuration)
    print(forecast)
    return forecast
  }
}
