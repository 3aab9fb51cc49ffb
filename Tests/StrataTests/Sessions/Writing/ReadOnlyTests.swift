import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("A read-only realm")
struct ReadOnlyTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      realm.create(V0.Person.self, value: ["name": "Ada"])
    }
  }

  var configuration: Realm.Configuration {
    .init(fileURL: folder.file, readOnly: true, objectTypes: [V0.Person.self, V0.Keyed.self])
  }

  @Test func `A read-only realm reads, and leaves nothing behind`() throws {
    let before = try Data(contentsOf: folder.file)
    try {
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(V0.Person.self).first?.name, "Ada")
    }()
    try expectEqual(Data(contentsOf: folder.file), before)
    try expectEqual(folder.names(), ["test.sqlite"])
  }

  @Test func `A read-only realm has the history of its versions`() throws {
    try folder.open([V0.Person.self, V0.Keyed.self], version: 7) { _ in }
    let history = try Realm.migrationHistory(at: folder.file)
    expectEqual(history.map(\.version), [0, 7])
    expectEqual(
      history.map { $0.schema.objectSchema.map(\.className) }, [["Person"], ["Keyed", "Person"]])
    expectTrue(history.allSatisfy { abs($0.migratedAt.timeIntervalSinceNow) < 600 })
    #expect(throws: Realm.Error.self) {
      try Realm.migrationHistory(at: folder.url.appendingPathComponent("missing"))
    }
  }

  @Test func `A class without a table in the file has no objects`() throws {
    let realm = try Realm(configuration: configuration)
    let keyed = realm.objects(V0.Keyed.self)
    expectTrue(keyed.isEmpty && keyed.count == 0 && keyed.first == nil && keyed.last == nil)
    expectTrue(Array(keyed).isEmpty && keyed.sorted(byKeyPath: "name").map(\.id).isEmpty)
    expectEqual(keyed.sum(ofProperty: "score"), 0.0)
    expectNil(keyed.min(ofProperty: "id") as Int?)
    expectNil(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 1))
  }

  @Test func `A read-only realm does not write`() throws {
    let realm = try Realm(configuration: configuration)
    let error = #expect(throws: Realm.Error.self) { try realm.write {} }
    expectEqual(error?.message, "Can't perform transactions on read-only Realms.")
    realm.beginWrite()
    realm.create(V0.Person.self)
    let later = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    expectEqual(later?.message, "Can't perform transactions on read-only Realms.")
    expectEqual(realm.objects(V0.Person.self).count, 1)
  }

  @Test func `A read-only realm opens a file in a folder that can't be written`() async throws {
    let path = folder.file.path
    chmod(folder.url.path, 0o555)
    chmod(path, 0o444)
    defer { chmod(folder.url.path, 0o755) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      // As a user other than root, whom permissions don't concern.
      if geteuid() == 0 { try #require(setuid(65_534) == 0) }
      let realm = try Realm(
        configuration: .init(
          fileURL: URL(fileURLWithPath: path), readOnly: true, objectTypes: [V0.Person.self]))
      expectEqual(realm.objects(V0.Person.self).first?.name, "Ada")
      try expectEqual(schemaVersionAtURL(URL(fileURLWithPath: path)), 0)
      let error = #expect(throws: Realm.Error.self) {
        _ = try Realm(
          configuration: .init(
            fileURL: URL(fileURLWithPath: path + "2"), objectTypes: [V0.Person.self]))
      }
      expectEqual(error?.code, .filePermissionDenied)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectEqual(names, ["test.sqlite"])
  }
}
