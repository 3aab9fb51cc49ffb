import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Person: Object {
    @Persisted var name = ""
  }
}

private enum After {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var places: Map<String, Home?>
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var geo: Geo?
  }
  class Geo: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Geo.self]
}

private enum Linking {
  class Trip: Object {
    @Persisted var from: After.Home?
    @Persisted var stops: List<After.Home>
  }
}

/// The requirements of embedded classes, and of changes to and from embedded classes.
@Suite("Embedded classes and versions") struct EmbeddingVersionTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write(Homes.TopLevel.types) { realm in
      realm.create(Homes.TopLevel.Person.self, value: ["Ada", ["Oslo"], [["Bergen"]]] as [Any])
    }
    return file
  }

  @Test
  func `New embedded classes, and new classes that have them, need no higher version`() throws {
    try file.write([Before.Person.self]) { $0.create(Before.Person.self, value: ["Ada"]) }
    let all = [Before.Person.self, Linking.Trip.self, After.Home.self, After.Geo.self]
    try file.open(all) { realm in
      try realm.write {
        realm.create(Linking.Trip.self, value: [["Oslo", ["north"]], [["Bergen"]]] as [Any])
      }
      expectEqual(realm.schema.names, ["Geo", "Home", "Person", "Trip"])
    }
    try expectEqual(file.version, 0)
    let stored = try file.storedSchema()
    expectTrue(stored["Home"]?.isEmbedded == true && stored["Geo"]?.isEmbedded == true)
    expectEqual(stored["Person"]?.isEmbedded, false)
    try expectEqual(file.shown("Trip", "stops"), ["[Bergen]"])
    try expectEqual(file.shown("Person", "name"), ["Ada"])
  }

  @Test(arguments: [true, false])
  func `A new property whose class is new as well is added in one stage`(withBlock: Bool) throws {
    try file.write([Before.Person.self]) { $0.create(Before.Person.self, value: ["Ada"]) }
    let error = try file.failure(After.types, to: 0)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Property 'Person.home' has been added.
      - Property 'Person.homes' has been added.
      - Property 'Person.places' has been added.
      """)
    try file.migrate(After.types, to: 1, withBlock ? idleBlock : nil)
    try file.open(After.types, version: 1) { realm in
      let ada = try #require(realm.objects(After.Person.self).first)
      expectTrue(ada.home == nil && ada.homes.isEmpty && ada.places.isEmpty)
      try realm.write { ada.home = After.Home(value: ["Oslo", ["north"]] as [Any]) }
    }
    try expectEqual(file.shown("Geo", "name"), ["north"])
  }

  @Test func `The block of that stage assigns embedded objects`() throws {
    try file.write([Before.Person.self]) { $0.create(Before.Person.self, value: ["Ada"]) }
    try file.migrate(After.types, to: 1) { migration, _ in
      expectEqual(migration.newSchema["Home"]?.isEmbedded, true)
      expectNil(migration.oldSchema["Home"])
      migration.enumerateObjects(ofType: "Person") { _, new in
        new!["home"] = After.Home(value: ["Oslo", ["north"]] as [Any])
        new!["homes"] = [["name": "Bergen"]]
        new!["places"] = ["work": ["Tromsø"]]
      }
    }
    try expectEqual(file.shown("Person", "home"), ["Oslo"])
    try expectEqual(file.shown("Person", "homes"), ["[Bergen]"])
    try expectEqual(file.shown("Person", "places"), ["[work: Tromsø]"])
    try expectEqual(file.shown("Home", "geo"), ["north", "nil", "nil"])
  }

  @Test(arguments: [true, false])
  func `A class that becomes embedded needs a higher version`(isEmpty: Bool) throws {
    let file = try isEmpty ? TestFile() : filled()
    if isEmpty { try file.migrate(Homes.TopLevel.types, to: 0) }
    let error = try file.failure(Homes.Embedded.types, to: 0) { _, _ in
      Issue.record("The block must not be called.")
    }
    expectEqual(error.code, .schemaMismatch)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Class 'Home' has been changed from TopLevel to Embedded.
      """)
    try expectEqual(file.storedSchema()["Home"]?.isEmbedded, false)
    try file.migrate(Homes.Embedded.types, to: 1)
    try expectEqual(file.storedSchema()["Home"]?.isEmbedded, true)
    try expectEqual(file.shown("Home", "name"), (isEmpty ? [] : ["Oslo", "Bergen"]))
  }

  @Test(arguments: [true, false])
  func `A class that becomes a top-level class needs a higher version`(isEmpty: Bool) throws {
    try file.write(Homes.Embedded.types) { realm in
      if isEmpty { return }
      realm.create(Homes.Embedded.Person.self, value: ["Ada", ["Oslo"], [["Bergen"]]] as [Any])
    }
    let error = try file.failure(Homes.TopLevel.types, to: 0)
    expectEqual(error.code, .schemaMismatch)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Class 'Home' has been changed from Embedded to TopLevel.
      """)
    try file.migrate(Homes.TopLevel.types, to: 1)
    try expectEqual(file.storedSchema()["Home"]?.isEmbedded, false)
    try expectEqual(file.shown("Home", "name"), (isEmpty ? [] : ["Oslo", "Bergen"]))
  }

  @Test func `Lines of kinds come after all others`() throws {
    enum More {
      class Person: Object {
        @Persisted var name: String?
        @Persisted var home: Homes.Embedded.Home?
        @Persisted var homes: List<Homes.Embedded.Home>
        @Persisted var places: Map<String, Homes.Embedded.Home?>
      }
    }
    let file = try filled()
    // `Home.landlord` is of the other `Person`, which has the same name.
    let error = try file.failure([More.Person.self, Homes.Embedded.Home.self], to: 0)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Property 'Person.name' has been made optional.
      - Class 'Home' has been changed from TopLevel to Embedded.
      """)
  }

  @Test(arguments: [true, false])
  func `The kind of a class doesn't matter for reading`(isEmbedded: Bool) throws {
    if isEmbedded {
      try file.write(Homes.Embedded.types) { realm in
        realm.create(Homes.Embedded.Person.self, value: ["Ada", ["Oslo"], [["Bergen"]]] as [Any])
      }
    } else {
      try file.write(Homes.TopLevel.types) { realm in
        realm.create(Homes.TopLevel.Person.self, value: ["Ada", ["Oslo"], [["Bergen"]]] as [Any])
      }
    }
    let bytes = try Data(contentsOf: file.url)
    let types = isEmbedded ? Homes.TopLevel.types : Homes.Embedded.types
    var configuration = file.configuration(types)
    configuration.readOnly = true
    do {
      let realm = try Realm(configuration: configuration)
      let home: ObjectBase?
      if isEmbedded {
        home = realm.objects(Homes.TopLevel.Person.self).first?.home
      } else {
        home = realm.objects(Homes.Embedded.Person.self).first?.home
      }
      expectEqual(shown(home), "Oslo")
    }
    try expectEqual(Data(contentsOf: file.url), bytes)
    try expectEqual(file.storedSchema()["Home"]?.isEmbedded, isEmbedded)
  }

  @Test func `A changed kind starts over with deleteRealmIfMigrationNeeded`() throws {
    let file = try filled()
    var configuration = file.configuration(Homes.Embedded.types)
    configuration.deleteRealmIfMigrationNeeded = true
    _ = try Realm(configuration: configuration)
    try expectTrue(file.shown("Home", "name").isEmpty)
    try expectEqual(file.storedSchema()["Home"]?.isEmbedded, true)
  }
}
