import Foundation
import GRDB
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport

/// The classes of `links.realm` in a newer version of its program.
private enum Newer {
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var years: Double?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

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

  class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var country: Country?
  }

  class Country: EmbeddedObject {
    @Persisted var code = ""
    @Persisted var tags: List<String>
  }

  static let types: [ObjectBase.Type] = [Dog.self, Person.self, Address.self, Country.self]

  static let block: MigrationBlock = { migration, version in
    guard version < 4 else { return }
    migration.renameProperty(onType: "Person", from: "name", to: "fullName")
    migration.enumerateObjects(ofType: "Dog") { old, new in
      new?["years"] = (old?["age"] as? Int).map(Double.init)
    }
    migration.deleteData(forType: "Never")
  }
}

@Suite("Automatic conversions")
struct AutomaticConversionTests {
  private let folder: TestFolder
  private var old: URL { folder.url.appendingPathComponent("old.realm") }

  init() throws { folder = try TestFolder() }

  private func configuration(
    version: UInt64, _ reports: Heard<ConversionReport>? = nil, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = folder.configuration([], version: version, block)
    configuration.convertsRealmFile = .automatically(
      from: old, choices: RealmWrittenFile.choices, didConvert: { reports?.add($0) })
    return configuration
  }

  private func copy(_ name: String) throws {
    try FileManager.default.copyItem(at: RealFile.url(name), to: old)
  }

  @Test func `A new user begins with an empty file`() throws {
    let reports = Heard<ConversionReport>()
    let realm = try Realm(configuration: configuration(version: 3, reports))
    expectTrue(realm.isEmpty)
    expectTrue(reports.all.isEmpty)
  }

  @Test func `An opening tells how far the conversion and the migration are`() async throws {
    try copy("links")
    let heard = Heard<ConversionProgress>()
    var configuration = configuration(version: 4, nil, Newer.block)
    configuration.objectTypes = Newer.types
    configuration.convertsRealmFile?.progress = { heard.add($0) }
    var states: [String] = []
    for try await state in Realm.opening(configuration: configuration) {
      let name =
        switch state {
        case .connecting: "connecting"
        case .converting: "converting"
        case .migrating: "migrating"
        case .open: "open"
        }
      if states.last != name { states.append(name) }
    }
    expectEqual(states, ["connecting", "converting", "migrating", "open"])
    expectEqual(heard.all.last?.completedObjects, heard.all.last?.totalObjects)
  }

  @Test func `The forecast of a migration is that of what the old file becomes`() throws {
    try copy("links")
    let heard = Heard<ConversionProgress>()
    var configuration = configuration(version: 4, nil, Newer.block)
    configuration.objectTypes = Newer.types
    configuration.convertsRealmFile?.progress = { heard.add($0) }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let forecast = try Realm.migrationForecast(for: configuration)
    expectEqual(forecast.realmFilePath, old.path)
    expectEqual(forecast.outcome, .migrate)
    expectEqual(forecast.from, 3)
    expectTrue(
      forecast.description.hasPrefix(
        "'\(folder.file.path)' is made of the file of Realm '\(old.path)'. It is migrated from schema "
          + "version 3 to 4: 1 stage, "), "\(forecast)")
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), before)
    expectTrue(heard.all.isEmpty)
    // The same forecast as for the converted file.
    var converted = configuration
    converted.convertsRealmFile = nil
    converted.fileURL = folder.url.appendingPathComponent("converted.sqlite")
    let file = try #require(converted.fileURL)
    try Realm.convert(realmFile: old, toFile: file, choices: RealmWrittenFile.choices)
    let expected = try Realm.migrationForecast(for: converted)
    expectEqual(forecast.stages, expected.stages)
    expectNil(expected.realmFilePath)
    _ = try Realm(configuration: configuration)
    try expectEqual(Realm.migrationForecast(for: configuration).outcome, .nothing)
  }

  @Test func `The forecast of a migration refuses what the conversion refuses`() throws {
    try copy("all-types")
    var configuration = configuration(version: 100)
    configuration.convertsRealmFile?.choices = []
    let error = #expect(throws: Realm.Error.self) {
      try Realm.migrationForecast(for: configuration)
    }
    expectTrue(error?.underlyingError is ConversionRefusal)
    let opening = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    expectEqual(error?.message, opening?.message)
  }

  @Test func `The old file is converted once, and stays`() throws {
    try copy("links")
    let reports = Heard<ConversionReport>()
    for _ in 0..<2 { _ = try Realm(configuration: configuration(version: 3, reports)) }
    expectEqual(reports.all.count, 1)
    expectEqual(reports.all.first?.written.objects, 24)
    expectEqual(reports.all.first?.schemaVersion, 3)
    try expectEqual(
      Data(contentsOf: old), Data(contentsOf: RealFile.url("links")))
  }

  @Test func `The new file is made where a link leads`() throws {
    try copy("links")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path, withDestinationPath: "elsewhere.sqlite")
    let reports = Heard<ConversionReport>()
    _ = try Realm(configuration: configuration(version: 3, reports))
    expectEqual(reports.all.first?.written.objects, 24)
    let elsewhere = folder.url.appendingPathComponent("elsewhere.sqlite")
    try expectEqual(schemaVersionAtURL(elsewhere), 3)
  }

  @Test func `The migration block brings the old classes to those of today`() throws {
    try copy("links")
    let json = try RealmWrittenFile(name: "links", key: nil).json()
    let people = json["classes"]["Person"]["objects"].elements.map(\.self["values"])
    let dogs = json["classes"]["Dog"]["objects"].elements.map(\.self["values"])
    var configuration = folder.configuration(Newer.types, version: 4, Newer.block)
    configuration.convertsRealmFile = .automatically(from: old)
    let realm = try Realm(configuration: configuration)
    let persons = Array(realm.objects(Newer.Person.self))
    expectEqual(persons.map(\.fullName), people.map { $0["name"].text ?? "" })
    expectEqual(
      realm.objects(Newer.Dog.self).map(\.years), dogs.map { Double($0["age"].number ?? 0) })
    for (person, expected) in zip(persons, people) {
      expectEqual(person.dogs.count, expected["dogs"].elements.count)
      expectEqual(person.dogSet.count, expected["dogSet"].elements.count)
      expectEqual(Set(person.dogMap.keys), Set(expected["dogMap"].members.keys))
      expectEqual((person.friend == nil), (expected["friend"] == .null))
      expectEqual((person.address == nil), (expected["address"] == .null))
      expectEqual(person.addresses.count, expected["addresses"].elements.count)
      expectTrue(person.dogs.allSatisfy { $0.owners.contains(person) })
    }
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.version), [3, 4])
    try expectTrue(Realm.problems(for: configuration).isEmpty)
  }

  @Test func `A file of a newer version is not converted`() throws {
    try copy("links")
    let error = thrownError { _ = try Realm(configuration: configuration(version: 2)) }
    expectEqual(
      error?.message, "Provided schema version 2 is less than last set version 3.")
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
  }

  @Test func `A block that throws leaves the file at the old version`() throws {
    struct Refusal: Error {}
    try copy("links")
    #expect(throws: Refusal.self) {
      try Realm.convert(
        realmFile: old, to: folder.configuration([], version: 4) { _, _ in throw Refusal() })
    }
    try expectEqual(schemaVersionAtURL(folder.file), 3)
    _ = try Realm(configuration: folder.configuration([], version: 4))
    try expectEqual(schemaVersionAtURL(folder.file), 4)
  }
}
