import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Copies of a file that a program makes on demand, without model classes.
@Suite struct MakingBackupsTests {
  private struct Stop: Error {}

  private let folder: TestFolder

  private var copy: URL { folder.url.appendingPathComponent("copy.sqlite") }
  private var configuration: Realm.Configuration { Realm.Configuration(fileURL: folder.file) }

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self], version: 2) { realm in
      _ = realm.create(V0.Person.self, value: ["name": "Ada"])
    }
  }

  @Test func `A copy of an open file has what is in its WAL, and takes its place later`() throws {
    try folder.open([V0.Person.self], version: 2) { realm in
      try realm.write { _ = realm.create(V0.Person.self, value: ["name": "Bob"]) }
      try Realm.makeBackup(at: copy, for: configuration)
    }
    try expectEqual(folder.names(), ["copy.sqlite", "test.sqlite"])
    try expectEqual(Realm.inspection(at: copy).objectCounts, ["Person": 2])
    try folder.write([V0.Person.self], version: 2) { realm in realm.deleteAll() }
    try Realm.restoreBackup(at: copy, for: configuration)
    try expectEqual(Realm.inspection(at: folder.file).objectCounts, ["Person": 2])
    try expectEqual(Realm.problems(for: configuration), [])
  }

  @Test func `A missing file is restored as well`() throws {
    try Realm.makeBackup(at: copy, for: configuration)
    try Realm.deleteFiles(for: configuration)
    try Realm.restoreBackup(at: copy, for: configuration)
    try expectEqual(Realm.inspection(at: folder.file).objectCounts, ["Person": 1])
  }

  @Test func `How far it is, is told up to the whole`() throws {
    var parts: [Double] = []
    try Realm.makeBackup(at: copy, for: configuration) { parts.append($0) }
    expectEqual(parts.last, 1)
    expectEqual(parts, parts.sorted())
  }

  @Test func `An error of the closure ends it, and no copy is left`() throws {
    #expect(throws: Stop.self) {
      try Realm.makeBackup(at: copy, for: configuration) { _ in throw Stop() }
    }
    try expectEqual(folder.names(), ["test.sqlite"])
  }

  @Test func `A file that is there already stays`() throws {
    try Data("mine".utf8).write(to: copy)
    expectError(
      "The file '\(folder.file.path)' can't be copied to '\(copy.path)': A file exists already. "
        + "Delete it first, or choose another name.", code: .fileExists
    ) {
      try Realm.makeBackup(at: copy, for: configuration)
    }
    try expectEqual(Data(contentsOf: copy), Data("mine".utf8))
  }

  @Test func `A missing file or folder is an error`() throws {
    let missing = Realm.Configuration(fileURL: folder.url.appendingPathComponent("none.sqlite"))
    expectError(code: .fileNotFound) { try Realm.makeBackup(at: copy, for: missing) }
    expectError(code: .fileNotFound) {
      try Realm.makeBackup(
        at: folder.url.appendingPathComponent("none/copy.sqlite"), for: configuration)
    }
    try expectEqual(folder.names(), ["test.sqlite"])
  }

  @Test func `A damaged file has no copy`() throws {
    folder.isDamaged = true
    try folder.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'Person';
      """)
    expectError(code: .invalidDatabase) {
      try Realm.makeBackup(at: copy, for: configuration)
    }
    try expectEqual(folder.names(), ["test.sqlite"])
  }

  @Test func `A database of another program has no copy`() throws {
    let foreign = try TestFolder()
    try foreign.execute("CREATE TABLE notes (text)")
    expectError(code: .invalidDatabase) {
      try Realm.makeBackup(at: copy, for: Realm.Configuration(fileURL: foreign.file))
    }
  }
}
