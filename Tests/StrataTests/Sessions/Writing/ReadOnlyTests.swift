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
      expectError(code: .filePermissionDenied) {
        _ = try Realm(
          configuration: .init(
            fileURL: URL(fileURLWithPath: path + "2"), objectTypes: [V0.Person.self]))
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectEqual(names, ["test.sqlite"])
  }
}
