import Foundation
import GRDB
import Strata
import StrataTestKit
import Testing

/// `Realm.inspection(at:)`: what a file says of itself.
@Suite struct InspectionTests {
  private func filled() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.open([V0.Person.self, V0.Keyed.self], version: 3) { realm in
      try realm.write {
        for name in ["Ada", "Bob"] { realm.create(V0.Person.self, value: ["name": name]) }
        realm.create(V0.Keyed.self, value: ["id": 1])
      }
    }
    return folder
  }

  @Test func `It has the version, the classes, and how many objects there are`() throws {
    let folder = try filled()
    try folder.execute("CREATE TABLE notes (text); CREATE VIEW adults AS SELECT * FROM Person")
    let inspection = try Realm.inspection(at: folder.file)
    #expect(inspection.schemaVersion == 3)
    #expect(inspection.schema.objectSchema.map(\.className) == ["Keyed", "Person"])
    #expect(inspection.schema["Keyed"]?.primaryKeyProperty?.name == "id")
    #expect(inspection.objectCounts == ["Keyed": 1, "Person": 2])
    #expect(inspection.otherTables == ["adults", "notes"])
    #expect(inspection.history.map(\.version) == [3])
    #expect(inspection.fileSize == (try Data(contentsOf: folder.file)).count)
    #expect(inspection.logSize == 0)
    #expect(inspection.unusedSize == 0)
  }

  @Test func `Objects are only counted when they should be`() throws {
    let folder = try filled()
    let inspection = try Realm.inspection(at: folder.file, countingObjects: false)
    #expect(inspection.objectCounts == [:])
    #expect(inspection.schema.objectSchema.count == 2)
  }

  @Test func `Its own tables are not those of others`() throws {
    let folder = try TestFolder()
    try folder.open([FullTextNote.self]) { _ in }
    #expect(try Realm.inspection(at: folder.file).otherTables == [])
  }

  @Test func `A deleted object leaves room`() throws {
    let folder = try filled()
    try folder.execute(
      """
      CREATE TABLE long AS SELECT zeroblob(100000);
      DROP TABLE long;
      """)
    #expect(try Realm.inspection(at: folder.file).unusedSize > 90_000)
  }

  @Test func `It sees what is in the WAL of an open file`() throws {
    let folder = try filled()
    try folder.open([V0.Person.self, V0.Keyed.self], version: 3) { realm in
      try realm.write { _ = realm.create(V0.Person.self, value: ["name": "Carl"]) }
      let inspection = try Realm.inspection(at: folder.file)
      #expect(inspection.objectCounts["Person"] == 3)
      #expect(inspection.logSize > 0)
    }
  }

  @Test func `Nothing is made or changed beside a file that no process has open`() throws {
    let folder = try filled()
    let before = try Data(contentsOf: folder.file)
    // A WAL that would be made and removed again changes the time of the folder.
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
    let time = attributes[.modificationDate] as? Date
    _ = try Realm.inspection(at: folder.file)
    let after = try FileManager.default.attributesOfItem(atPath: folder.url.path)
    #expect(after[.modificationDate] as? Date == time)
    #expect(try Data(contentsOf: folder.file) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["test.sqlite"])
  }

  @Test func `A database of another program has tables and no version`() throws {
    let folder = try TestFolder()
    try folder.execute("CREATE TABLE notes (text)")
    let inspection = try Realm.inspection(at: folder.file)
    #expect(inspection.schemaVersion == nil)
    #expect(inspection.otherTables == ["notes"])
    #expect(inspection.history == [])
  }

  @Test func `A class whose table is missing has no count`() throws {
    let folder = try filled()
    folder.isDamaged = true
    try folder.execute("DROP TABLE Keyed")
    #expect(try Realm.inspection(at: folder.file).objectCounts == ["Person": 2])
  }

  @Test func `A path without a database is an error`() throws {
    let folder = try TestFolder()
    func expectFailure(_ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation)
    {
      let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
        try Realm.inspection(at: folder.file)
      }
      #expect(error?.code == code, sourceLocation: sourceLocation)
      #expect(error?.message.contains(folder.file.path) == true, sourceLocation: sourceLocation)
    }
    expectFailure(.fileNotFound)
    try Data().write(to: folder.file)
    expectFailure(.invalidDatabase)
    try Data(repeating: 65, count: 4096).write(to: folder.file)
    expectFailure(.invalidDatabase)
  }

  @Test func `A record of a newer format is an error that says so`() throws {
    let folder = try filled()
    folder.isDamaged = true
    try folder.execute(
      "UPDATE strata_schema_version SET schema = replace(schema, '\"format\":1', '\"format\":2')")
    let error = #expect(throws: Realm.Error.self) { try Realm.inspection(at: folder.file) }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.message.contains("stored in format 2, and only format 1 is known") == true)
  }

  final class FullTextNote: Object {
    @Persisted(fullText: true) var text = ""
    @Persisted var tags: List<String>
  }
}
