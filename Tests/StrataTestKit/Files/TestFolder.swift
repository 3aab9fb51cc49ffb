package import Foundation
package import GRDB
package import Strata
import TestKit
package import Testing

/// A folder for the files of one test, removed when the test is over.
///
/// Then SQLite must find nothing wrong with them, and no row may refer to one that is not there.
package final class TestFolder {
  package let url: URL
  /// Whether the test damages its files on purpose.
  package var isDamaged = false
  /// Whether this object removes the folder.
  private let isOwner: Bool

  package init() throws {
    isOwner = true
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The folder of the test that started this process: that test checks and removes it, however
  /// this process ends.
  package init(ofParent path: String) {
    isOwner = false
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  deinit {
    guard isOwner else { return }
    do {
      if !isDamaged {
        for problem in try FileCheck.problems(in: url) { Issue.record("\(problem)") }
      }
      try remove()
    } catch {
      Issue.record("The folder of the test can't be checked and removed: \(error)")
    }
  }

  package var file: URL { url.appendingPathComponent("test.sqlite") }

  /// Opens the file with some classes, runs a closure, and closes it.
  @discardableResult
  package func open<Result>(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Result
  ) throws -> Result {
    try body(Realm(configuration: configuration(types, version: version, block)))
  }

  /// Opens the file, writes in one transaction, and closes it.
  package func write(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Void
  ) throws {
    try open(types, version: version, block) { realm in try realm.write { try body(realm) } }
  }

  package func configuration(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  /// Works on the file as another program would.
  @discardableResult
  package func sql<Result>(
    foreignKeys: Bool = true, _ body: (Database) throws -> Result
  ) throws -> Result {
    let queue = try DatabaseQueue.otherProgram(at: file, foreignKeys: foreignKeys)
    defer { #expect(throws: Never.self) { try queue.close() } }
    return try queue.inDatabase(body)
  }

  package func execute(_ sql: String, foreignKeys: Bool = true) throws {
    try self.sql(foreignKeys: foreignKeys) { try $0.execute(sql: sql) }
  }

  /// The first value that another program finds with a query.
  package func number(_ sql: String) throws -> Int? {
    try self.sql { try Int.fetchOne($0, sql: sql) }
  }

  /// The first column of the rows that another program finds with a query.
  package func texts(_ sql: String) throws -> [String] {
    try self.sql { try String.fetchAll($0, sql: sql) }
  }

  /// The first of these.
  package func text(_ sql: String) throws -> String? {
    try self.sql { try String.fetchOne($0, sql: sql) }
  }

  /// The number of rows in a table, as another program counts them.
  package func count(of table: String) throws -> Int? {
    try number("SELECT count(*) FROM \"\(table)\"")
  }

  /// The definitions and rows of everything in the file, as text.
  package func dump() throws -> String {
    try sql { db in
      let items = try Row.fetchAll(
        db, sql: "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
      var lines = items.map { "\($0[0] as String) \($0[1] as String): \($0[2] as String? ?? "")" }
      for item in items where item[0] == "table" {
        let name: String = item[1]
        let columns = try db.columns(in: name).map { "quote(\"\($0.name)\")" }
        let rows = try String.fetchAll(
          db, sql: "SELECT \(columns.joined(separator: " || ', ' || ")) FROM \"\(name)\" ORDER BY 1"
        )
        lines += rows.map { "\(name): \($0)" }
      }
      return lines.joined(separator: "\n")
    }
  }

  /// The names of the files, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// The findings of the library's own check of the file.
  package func problems() throws -> [String] {
    try Realm.problems(for: Realm.Configuration(fileURL: file)).map(\.description)
  }

  /// Whether SQLite finds nothing wrong with the file.
  package func isSound() throws -> Bool { try FileCheck.problems(of: file).isEmpty }

  /// A realm that was just closed may still remove its WAL, on another thread.
  private func remove() throws {
    do {
      try FileManager.default.removeItem(at: url)
    } catch CocoaError.fileNoSuchFile where FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
  }

  /// Expects that opening fails, and that it changes no byte of the file.
  package func expectUntouched(
    _ types: [ObjectBase.Type], version: UInt64, _ block: MigrationBlock? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Realm.Error? {
    let before = try dump()
    let bytes = try Data(contentsOf: file)
    var thrown: (any Error)?
    do {
      try open(types, version: version, block) { _ in }
    } catch {
      thrown = error
    }
    expectTrue(thrown != nil, "opening should fail", sourceLocation: sourceLocation)
    try expectEqual(Data(contentsOf: file), bytes, sourceLocation: sourceLocation)
    try expectEqual(dump(), before, sourceLocation: sourceLocation)
    return thrown as? Realm.Error
  }
}
