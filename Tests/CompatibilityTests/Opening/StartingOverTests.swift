import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var name = ""
  }
  class Other: Object {
    @Persisted var number = 0
  }
}

private enum Indexed {
  class Item: Object {
    @Persisted(indexed: true) var name = ""
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }
}

/// `deleteRealmIfMigrationNeeded: true`.
@Suite("Starting over instead of migrating") struct StartingOverTests {
  private func configuration(
    _ file: TestFile, _ types: [ObjectBase.Type], version: UInt64
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file.url, schemaVersion: version,
      migrationBlock: { _, _ in Issue.record("The block must not be called.") },
      deleteRealmIfMigrationNeeded: true, objectTypes: types)
  }

  private func open(_ file: TestFile, _ types: [ObjectBase.Type], version: UInt64) throws {
    _ = try Realm(configuration: configuration(file, types, version: version))
  }

  private func filled(_ type: ObjectBase.Type, version: UInt64 = 0) throws -> TestFile {
    let file = try TestFile()
    try file.write([type, V0.Other.self], version: version) { realm in
      if let type = type as? Object.Type { realm.create(type, value: ["name": "a"]) }
      realm.add(V0.Other(value: [1]))
    }
    return file
  }

  @Test func `A new file is made as usual`() throws {
    let file = try TestFile()
    try open(file, [V0.Item.self], version: 3)
    try expectEqual(file.version, 3)
  }

  @Test func `A changed class at the same version empties the file`() throws {
    let file = try filled(V0.Item.self)
    try expectEqual(file.failure([V1.Item.self, V0.Other.self], to: 0).code, .schemaMismatch)
    try expectEqual(file.values("Item", "name"), ["a"], "refused opens keep everything")
    try open(file, [V1.Item.self, V0.Other.self], version: 0)
    try file.open([V1.Item.self, V0.Other.self]) { realm in
      expectTrue(realm.isEmpty)
      try realm.write { realm.add(V1.Item(value: ["b", 1])) }
    }
    try expectEqual(file.storedSchema()["Item"]?.names, ["name", "age"])
    try expectEqual(file.version, 0)
  }

  @Test func `A higher version empties the file, changed or not`() throws {
    for type in [V0.Item.self, V1.Item.self] as [ObjectBase.Type] {
      let file = try filled(V0.Item.self)
      try open(file, [type, V0.Other.self], version: 1)
      try expectEqual(file.values("Item", "name"), [])
      try expectEqual(file.values("Other", "number"), [])
      try expectEqual(file.version, 1)
    }
  }

  @Test func `A lower version empties the file, which has that version afterwards`() throws {
    let file = try filled(V0.Item.self, version: 4)
    try open(file, [V0.Item.self, V0.Other.self], version: 2)
    try expectEqual(file.version, 2)
    try expectEqual(file.values("Item", "name"), [])
    try file.write([V0.Item.self, V0.Other.self], version: 2) { $0.add(V0.Item()) }
  }

  @Test func `Changes that need no migration don't empty the file`() throws {
    let file = try filled(V0.Item.self)
    try open(file, [V0.Item.self, V0.Other.self], version: 0)
    try expectEqual(file.values("Item", "name"), ["a"])
    try open(file, [Indexed.Item.self, V0.Other.self], version: 0)
    try expectEqual(file.storedSchema()["Item"]?["name"]?.isIndexed, true)
    try open(file, [V0.Item.self, V0.Other.self], version: 0)
    try expectEqual(file.storedSchema()["Item"]?["name"]?.isIndexed, false)
    try expectEqual(file.values("Item", "name"), ["a"])
  }

  @Test func `Added and removed classes keep the objects of all`() throws {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    try open(file, [V0.Item.self, V0.Other.self], version: 0)
    try expectEqual(file.storedSchema().names, ["Item", "Other"])
    try open(file, [V0.Other.self], version: 0)
    try expectEqual(file.storedSchema().names, ["Item", "Other"])
    try expectEqual(file.values("Item", "name"), ["a"])
  }

  @Test func `A file that is not a database is not started over`() throws {
    let file = try TestFile()
    try Data("Dear diary".utf8).write(to: file.url)
    expectError(code: .invalidDatabase) {
      try open(file, [V0.Item.self], version: 0)
    }
    try expectEqual(Data(contentsOf: file.url), Data("Dear diary".utf8))
  }
}
