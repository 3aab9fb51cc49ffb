import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// `Realm.inspection(at:)`, which describes a file without model classes.
@Suite struct InspectionTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self, V0.Keyed.self], version: 3) { realm in
      for name in ["Ada", "Bob"] { realm.create(V0.Person.self, value: ["name": name]) }
      realm.create(V0.Keyed.self, value: ["id": 1])
    }
  }

  @Test func `It has the version, the classes, and how many objects there are`() throws {
    try folder.execute("CREATE TABLE notes (text); CREATE VIEW adults AS SELECT * FROM Person")
    let inspection = try Realm.inspection(at: folder.file)
    expectEqual(inspection.schemaVersion, 3)
    expectEqual(inspection.schema.objectSchema.map(\.className), ["Keyed", "Person"])
    expectEqual(inspection.schema["Keyed"]?.primaryKeyProperty?.name, "id")
    expectEqual(inspection.objectCounts, ["Keyed": 1, "Person": 2])
    expectEqual(inspection.otherTables, ["adults", "notes"])
    expectEqual(inspection.history.map(\.version), [3])
    expectEqual(inspection.fileSize, (try Data(contentsOf: folder.file)).count)
    expectEqual(inspection.logSize, 0)
    expectEqual(inspection.unusedSize, 0)
  }

  @Test func `Objects are only counted when they should be`() throws {
    let inspection = try Realm.inspection(at: folder.file, countingObjects: false)
    expectEqual(inspection.objectCounts, [:])
    expectEqual(inspection.schema.objectSchema.count, 2)
  }

  @Test func `Its own tables are not those of others`() throws {
    let folder = try TestFolder()
    try folder.open([FullTextNote.self]) { _ in }
    try expectEqual(Realm.inspection(at: folder.file).otherTables, [])
  }

  @Test func `A deleted object leaves room`() throws {
    try folder.execute(
      """
      CREATE TABLE long AS SELECT zeroblob(100000);
      DROP TABLE long;
      """)
    try expectTrue(Realm.inspection(at: folder.file).unusedSize > 90_000)
  }

  @Test func `It sees what is in the WAL of an open file`() throws {
    try folder.open([V0.Person.self, V0.Keyed.self], version: 3) { realm in
      try realm.write { _ = realm.create(V0.Person.self, value: ["name": "Carl"]) }
      let inspection = try Realm.inspection(at: folder.file)
      expectEqual(inspection.objectCounts["Person"], 3)
      expectTrue(inspection.logSize > 0)
    }
  }

  @Test func `Nothing is made or changed beside a file that no process has open`() throws {
    let before = try Data(contentsOf: folder.file)
    // A WAL that would be made and removed again changes the time of the folder.
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
    let time = attributes[.modificationDate] as? Date
    _ = try Realm.inspection(at: folder.file)
    let after = try FileManager.default.attributesOfItem(atPath: folder.url.path)
    expectEqual(after[.modificationDate] as? Date, time)
    try expectEqual(Data(contentsOf: folder.file), before)
    try expectEqual(folder.names(), ["test.sqlite"])
  }

  @Test func `A database of another program has tables and no version`() throws {
    let folder = try TestFolder()
    try folder.execute("CREATE TABLE notes (text)")
    let inspection = try Realm.inspection(at: folder.file)
    expectNil(inspection.schemaVersion)
    expectEqual(inspection.otherTables, ["notes"])
    expectEqual(inspection.history, [])
  }

  @Test func `A class whose table is missing has no count`() throws {
    folder.isDamaged = true
    try folder.execute("DROP TABLE Keyed")
    try expectEqual(Realm.inspection(at: folder.file).objectCounts, ["Person": 2])
  }

  @Test func `A path without a database is an error`() throws {
    let folder = try TestFolder()
    func expectFailure(_ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation)
    {
      let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
        try Realm.inspection(at: folder.file)
      }
      expectEqual(error?.code, code, sourceLocation: sourceLocation)
      expectEqual(error?.message.contains(folder.file.path), true, sourceLocation: sourceLocation)
    }
    expectFailure(.fileNotFound)
    try Data().write(to: folder.file)
    expectFailure(.invalidDatabase)
    try Data(repeating: 65, count: 4096).write(to: folder.file)
    expectFailure(.invalidDatabase)
  }

  @Test func `A record of a newer format is an error that says so`() throws {
    folder.isDamaged = true
    try folder.execute(
      "UPDATE strata_schema_version SET schema = replace(schema, '\"format\":1', '\"format\":2')")
    expectError(
      containing: "stored in format 2, and only format 1 is known", code: .invalidDatabase
    ) { try Realm.inspection(at: folder.file) }
  }

  final class FullTextNote: Object {
    @Persisted(fullText: true) var text = ""
    @Persisted var tags: List<String>
  }
}
