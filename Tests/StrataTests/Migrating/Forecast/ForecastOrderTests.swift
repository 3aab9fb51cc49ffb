import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Places1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var home: Address?
  }
  class Shop: Object {
    @Persisted var sign: Sign?
  }
  class Address: Object {
    @Persisted var zip = "0"
    @Persisted var spot: Spot?
  }
  class Spot: Object {
    @Persisted var x = 0
  }
  class Sign: EmbeddedObject {
    @Persisted var text = ""
  }
}

/// Addresses are embedded.
private enum Places2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Person.self, Kiosk.self, Address.self, Places1.Spot.self, Places1.Sign.self,
  ]
  class Person: Object {
    @Persisted var home: Address?
  }
  class Kiosk: Object {
    @Persisted var sign: Places1.Sign?
  }
  class Address: EmbeddedObject {
    @Persisted var zip = "0"
    @Persisted var spot: Places1.Spot?
  }
}

/// Places of addresses are embedded too, and addresses and signs say less.
private enum Places3: VersionedSchema {
  static let version = 3
  class Person: Object {
    @Persisted var home: Address?
  }
  class Kiosk: Object {
    @Persisted var sign: Sign?
  }
  class Address: EmbeddedObject {
    @Persisted var spot: Spot?
  }
  class Spot: EmbeddedObject {
    @Persisted var x = 0
  }
  class Sign: EmbeddedObject {
    @Persisted var size = 0
  }
}

private enum Together2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Person.self, Places2.Kiosk.self, Address.self, Spot.self, Places1.Sign.self,
  ]
  class Person: Object {
    @Persisted var home: Address?
  }
  class Address: EmbeddedObject {
    @Persisted var zip = "0"
    @Persisted var spot: Spot?
  }
  class Spot: EmbeddedObject {
    @Persisted var x = 0
  }
}

private enum Codes1: VersionedSchema {
  static let version = 1
  class Tag: Object {
    @Persisted var number = 0
  }
}

private enum Codes2: VersionedSchema {
  static let version = 2
  class Tag: Object {
    @Persisted var number = 0
    @Persisted var code = ""
  }
}

private enum Codes3: VersionedSchema {
  static let version = 3
  class Tag: Object {
    @Persisted(primaryKey: true) var code = ""
  }
}

private enum Notes1: VersionedSchema {
  static let version = 1
  class Tag: Object {
    @Persisted var note: String?
  }
}

private enum Renamed2: VersionedSchema {
  static let version = 2
  class Tag: Object {
    @Persisted var remark: String?
  }
}

private enum Removed3: VersionedSchema {
  static let version = 3
  class Tag: Object {
    @Persisted var code = ""
  }
}

/// Obstacles that an earlier stage has removed when a later stage runs.
@Suite struct ForecastOrderTests {
  private func file(_ fill: (Realm) -> Void) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(Places1.self, fill)
    return folder
  }

  private static let embedding = MigrationStage.version(Places2.self).dropping("Shop")
    .embedding("Address", orphans: .delete)

  /// Expects a plan without obstacles, and that the migration succeeds; returns what the last stage
  /// meets.
  private func lastFindings(_ folder: TestFolder, _ plan: SchemaMigrationPlan) throws -> [String] {
    let plan = folder.plan(plan)
    let forecast = try Realm.migrationForecast(for: plan)
    expectEqual(forecast.obstacles.map(\.description), [])
    _ = try Realm(configuration: plan)
    return try #require(forecast.stages.last).findings.map(\.description)
  }

  @Test func `Values of objects that an earlier stage deletes are no obstacle`() throws {
    let folder = try file { realm in
      realm.create(Places1.Address.self, value: ["zip": "1"])
      realm.create(Places1.Shop.self, value: ["sign": ["text": "Open"]])
    }
    let findings = try lastFindings(
      folder, [.version(Places1.self), Self.embedding, .version(Places3.self)])
    expectEqual(
      Set(findings),
      [
        "'Address.zip' loses its values in 1 row, unless that has changed by then.",
        "'Sign.text' loses its values in 1 row, unless that has changed by then.",
      ])
  }

  @Test func `Links of objects that an earlier stage deletes are no obstacle`() throws {
    let folder = try file { realm in
      let spot = realm.create(Places1.Spot.self, value: ["x": 1])
      let home = realm.create(Places1.Address.self, value: ["zip": "1", "spot": spot])
      realm.create(Places1.Address.self, value: ["zip": "2", "spot": spot])
      realm.create(Places1.Person.self, value: ["home": home])
    }
    let findings = try lastFindings(
      folder,
      [
        .version(Places1.self), Self.embedding,
        .version(Places3.self).dropping("Address.zip", "Sign.text"),
      ])
    expectTrue(
      findings.contains(
        "'Spot' becomes embedded, and 1 object has several parents, unless that has changed by "
          + "then."))
  }

  @Test func `Links of objects that are removed in the same stage are no obstacle`() throws {
    let folder = try file { realm in
      let spot = realm.create(Places1.Spot.self, value: ["x": 1])
      let home = realm.create(Places1.Address.self, value: ["zip": "1", "spot": spot])
      realm.create(Places1.Address.self, value: ["zip": "2", "spot": spot])
      realm.create(Places1.Person.self, value: ["home": home])
    }
    let stage = MigrationStage.version(Together2.self).dropping("Shop")
      .embedding("Address", orphans: .delete).embedding("Spot", orphans: .delete)
    _ = try lastFindings(folder, [.version(Places1.self), stage])
  }

  @Test func `Objects that are not deleted are still an obstacle`() throws {
    let folder = try file { realm in
      realm.create(Places1.Person.self, value: ["home": ["zip": "1"]])
    }
    let plan: SchemaMigrationPlan = [
      .version(Places1.self),
      .version(Places2.self).dropping("Shop"), .version(Places3.self),
    ]
    try expectEqual(
      Realm.migrationForecast(for: folder.plan(plan)).obstacles.map(\.description),
      [
        "'Address.zip' loses its values in 1 row: the migration fails."
      ])
  }

  @Test func `Keys that a closure has filled depend on it`() throws {
    let folder = try TestFolder()
    try folder.write(Codes1.self) { realm in
      for number in 1...3 { realm.create(Codes1.Tag.self, value: [number]) }
    }
    let findings = try lastFindings(
      folder,
      [
        .version(Codes1.self),
        .version(Codes2.self) { migration in
          migration.enumerate(Codes1.Tag.self, Codes2.Tag.self) { old, new in
            new.code = "\(old.number)"
          }
        },
        .version(Codes3.self).dropping("Tag.number"),
      ])
    expectTrue(
      findings.contains(
        "'Tag.code' becomes the primary key, and 1 value is in more than one of 3 rows ('' 3 times), "
          + "unless the closure handles it."))
  }

  @Test func `Values of a property that an earlier stage renames are counted`() throws {
    let folder = try TestFolder()
    try folder.write(Notes1.self) { realm in
      for note in ["a", nil, "b"] { realm.create(Notes1.Tag.self).note = note }
    }
    let findings = try lastFindings(
      folder,
      [
        .version(Notes1.self),
        .version(Renamed2.self).renaming("Tag.note", to: "remark"),
        .version(Removed3.self).dropping("Tag.remark"),
      ])
    expectEqual(findings, ["'Tag.remark' loses its values in 2 rows."])
  }

  @Test func `Values that an earlier closure may delete depend on it`() throws {
    let folder = try TestFolder()
    try folder.write(Codes1.self) { realm in realm.create(Codes1.Tag.self, value: [1]) }
    let findings = try lastFindings(
      folder,
      [
        .version(Codes1.self),
        .version(Codes2.self) { migration in migration.deleteData(forType: "Tag") },
        .version(Codes3.self),
      ])
    expectEqual(
      findings, ["'Tag.number' loses its values in 1 row, unless the closure handles it."])
  }
}
