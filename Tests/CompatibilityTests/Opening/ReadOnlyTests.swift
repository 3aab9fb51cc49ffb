import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var size: Double?
  }
  class Other: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var amount = 0
  }
}

private enum Indexed {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var size: Double?
  }
}

private enum Fewer {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }
}

private enum Changed {
  class Item: Object {
    @Persisted var id = ""
    @Persisted var name: String?
    @Persisted var size = 0.0
    @Persisted var more = 0
  }
}

/// `readOnly: true`.
@Suite("Read-only") struct ReadOnlyTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func configuration(
    _ file: TestFile, _ types: [ObjectBase.Type], version: UInt64 = 0
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file.url, readOnly: true, schemaVersion: version,
      migrationBlock: { _, _ in Issue.record("The block must not be called.") },
      objectTypes: types)
  }

  private func failure(
    _ file: TestFile, _ types: [ObjectBase.Type], version: UInt64 = 0
  ) throws -> Realm.Error {
    try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration(file, types, version: version))
    }
  }

  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1, "a", 0.5])) }
    return file
  }

  @Test func `Objects are read, and stay as they are`() throws {
    let file = try filled()
    let before = try Data(contentsOf: file.url)
    do {
      let realm = try Realm(configuration: configuration(file, [V0.Item.self]))
      expectEqual(realm.object(ofType: V0.Item.self, forPrimaryKey: 1)?.name, "a")
      expectTrue(realm.configuration.readOnly)
    }
    try expectEqual(Data(contentsOf: file.url), before)
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: file.folder.path), ["test.sqlite"])
  }

  @Test func `Writing is refused`() throws {
    let file = try filled()
    let realm = try Realm(configuration: configuration(file, [V0.Item.self]))
    let error = try #require(throws: Realm.Error.self) {
      try realm.write { realm.add(V0.Item(value: [2])) }
    }
    expectEqual(error.message, "Can't perform transactions on read-only Realms.")
    realm.beginWrite()
    realm.create(V0.Item.self)
    expectError(error.message) { try realm.commitWrite() }
    expectEqual(realm.objects(V0.Item.self).count, 1)
  }

  @Test func `A missing file is not made`() throws {
    let error = try failure(file, [V0.Item.self])
    expectEqual(error.code, .fileNotFound)
    expectEqual(
      error.message,
      "Failed to open Realm file at path '\(file.url.path)': No such file or directory")
    expectFalse(FileManager.default.fileExists(atPath: file.url.path))
  }

  @Test func `An empty file is not initialised`() throws {
    try Data().write(to: file.url)
    let error = try failure(file, [V0.Item.self])
    expectEqual(error.code, .invalidDatabase)
    expectEqual(
      error.message,
      "Failed to open Realm file at path '\(file.url.path)': "
        + "Read-only access to empty Realm file")
    try expectTrue(Data(contentsOf: file.url).isEmpty)
  }

  @Test(arguments: [1, 3] as [UInt64])
  func `A higher or lower version is refused`(version: UInt64) throws {
    try file.migrate([V0.Item.self], to: 2)
    let error = try failure(file, [V0.Item.self], version: version)
    expectEqual(error.code, .fail)
    expectEqual(
      error.message, "Provided schema version \(version) does not equal last set version 2.")
  }

  @Test func `A version other than 0 is read if it is the file's`() throws {
    try file.write([V0.Item.self], version: 2) { $0.add(V0.Item()) }
    let realm = try Realm(configuration: configuration(file, [V0.Item.self], version: 2))
    expectEqual(realm.objects(V0.Item.self).count, 1)
  }

  @Test func `Classes and properties that only the file has are ignored`() throws {
    try file.write([V0.Item.self, V0.Other.self]) { realm in
      realm.add(V0.Item(value: [1, "a", 0.5]))
      realm.add(V0.Other(value: [1, 5]))
    }
    let realm = try Realm(configuration: configuration(file, [Fewer.Item.self]))
    expectEqual(realm.objects(Fewer.Item.self).map(\.name), ["a"])
    expectEqual(realm.schema.names, ["Item"])
  }

  @Test func `A class that the file lacks is empty`() throws {
    let file = try filled()
    let realm = try Realm(configuration: configuration(file, [V0.Item.self, V0.Other.self]))
    let others = realm.objects(V0.Other.self)
    expectTrue(others.isEmpty)
    expectEqual(others.count, 0)
    expectTrue(others.first == nil && others.last == nil && Array(others).isEmpty)
    expectTrue(Array(others.sorted(byKeyPath: "amount")).isEmpty)
    expectEqual(others.sum(ofProperty: "amount"), 0)
    expectNil(others.min(ofProperty: "amount") as Int?)
    expectNil(others.max(ofProperty: "amount") as Int?)
    expectNil(others.average(ofProperty: "amount") as Double?)
    expectNil(realm.object(ofType: V0.Other.self, forPrimaryKey: 1))
    expectEqual(realm.objects(V0.Item.self).count, 1)
  }

  @Test
  func `An index that only one of the two has doesn't matter, and stays in the file`() throws {
    let file = try filled()
    do {
      let realm = try Realm(configuration: configuration(file, [Indexed.Item.self]))
      expectEqual(realm.objects(Indexed.Item.self).count, 1)
    }
    try expectEqual(file.storedSchema()["Item"]?["name"]?.isIndexed, false)
    try file.migrate([Indexed.Item.self], to: 0)
    do {
      let realm = try Realm(configuration: configuration(file, [V0.Item.self]))
      expectEqual(realm.objects(V0.Item.self).count, 1)
    }
    try expectEqual(file.storedSchema()["Item"]?["name"]?.isIndexed, true)
  }

  @Test func `A property that the file lacks is refused`() throws {
    try file.migrate([Fewer.Item.self], to: 0)
    let error = try failure(file, [V0.Item.self])
    expectEqual(error.code, .fail)
    expectEqual(
      error.message,
      """
      The following changes cannot be made in read-only schema mode:
      - Property 'Item.size' has been added.
      """)
  }

  @Test func `Other types, keys, and optional instead of required are refused`() throws {
    let file = try filled()
    let error = try failure(file, [Changed.Item.self])
    expectEqual(error.code, .fail)
    expectEqual(
      error.message,
      """
      The following changes cannot be made in read-only schema mode:
      - Property 'Item.id' has been changed from 'int' to 'string'.
      - Property 'Item.name' has been made optional.
      - Property 'Item.size' has been made required.
      - Property 'Item.more' has been added.
      - Primary Key for class 'Item' has been removed.
      """)
  }

  @Test func `Settings that contradict reading are errors`() throws {
    let file = try filled()
    var deleting = configuration(file, [V0.Item.self])
    deleting.deleteRealmIfMigrationNeeded = true
    var error = try #require(throws: Realm.Error.self) { _ = try Realm(configuration: deleting) }
    expectEqual(error.code, .fail)
    expectEqual(
      error.message, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    var compacting = configuration(file, [V0.Item.self])
    compacting.shouldCompactOnLaunch = { _, _ in true }
    error = try #require(throws: Realm.Error.self) { _ = try Realm(configuration: compacting) }
    expectEqual(error.code, .fail)
    expectEqual(error.message, "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
  }
}
