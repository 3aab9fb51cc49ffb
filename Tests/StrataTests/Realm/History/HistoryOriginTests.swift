import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// The origins of a file: copies that are written get another one, and consumers find out.
@Suite(.needsHook) struct HistoryOriginTests {
  private let folder: TestFolder

  /// The kinds of the transactions that a consumer gets, in each opening.
  private func consume(
    _ folder: TestFolder, _ history: Realm.Configuration.History? = .init(), version: UInt64 = 0
  ) throws -> [HistoryTransaction.Kind] {
    let realm = try Realm(configuration: folder.ledger(history, version: version))
    var kinds: [HistoryTransaction.Kind] = []
    try realm.consumeHistory(as: "index") { kinds += $0.map(\.kind) }
    return kinds
  }

  /// Adds a note, and closes the file.
  private func add(_ text: String, _ folder: TestFolder) throws {
    let realm = try Realm(configuration: folder.ledger())
    try realm.write { realm.add(LedgerNote(text)) }
  }

  /// A closed file with two notes, which a consumer knows.
  init() throws {
    folder = try TestFolder()
    for text in ["a", "b"] { try add(text, folder) }
    try expectEqual(consume(folder), [.began, .write, .write])
  }

  private func origins(_ folder: TestFolder) throws -> [String] {
    try folder.texts("SELECT kind FROM strata_origin ORDER BY number")
  }

  // MARK: Copies

  /// The ways in which an older state gets the file's name.
  enum Restoring: CaseIterable {
    case library, copy, overDeleted, backUp, serialized
  }

  @Test(arguments: Restoring.allCases)
  func `A named consumer learns that the file was restored`(_ how: Restoring) throws {
    let backup = folder.url.appendingPathComponent("backup.sqlite")
    try Realm.makeBackup(at: backup, for: folder.ledger())
    try add("lost", folder)
    try expectEqual(consume(folder), [.write])
    switch how {
    case .library: try Realm.restoreBackup(at: backup, for: folder.ledger())
    case .copy:
      let new = folder.url.appendingPathComponent("new.sqlite")
      try FileManager.default.copyItem(at: backup, to: new)
      expectEqual(rename(new.path, folder.file.path), 0)
    case .overDeleted:
      // The file system may give the new file the number of the deleted one.
      try FileManager.default.removeItem(at: folder.file)
      try FileManager.default.copyItem(at: backup, to: folder.file)
    case .backUp:
      try FileManager.default.removeItem(at: folder.file)
      try DatabaseQueue.otherProgram(at: backup).backup(
        to: DatabaseQueue.otherProgram(at: folder.file))
    case .serialized:
      try FileManager.default.removeItem(at: folder.file)
      try Data(contentsOf: backup).write(to: folder.file)
    }
    try expectEqual(consume(folder), [.restored])
    try expectEqual(consume(folder), [])
    try expectEqual(origins(folder), ["began", "copied"])
    try expectEqual(folder.open(Ledger.types) { $0.objects(LedgerNote.self).count }, 2)
  }

  @Test func `A copy is another line, and the original goes on`() throws {
    let other = try TestFolder()
    try folder.open(Ledger.types) { try $0.writeCopy(toFile: other.file) }
    // Both give the next identity to different objects.
    try add("in the copy", other)
    try add("in the original", folder)
    let (first, second) = try (
      Realm(configuration: folder.ledger()).history(),
      Realm(configuration: other.ledger()).history()
    )
    expectEqual(first.map(\.kind), [.began, .write, .write, .write])
    expectEqual(second.map(\.kind), [.began, .write, .write, .restored, .write])
    expectEqual(first.last?.changes.first?.identity, second.last?.changes.first?.identity)
    expectTrue(first.last?.origin != second.last?.origin)
    expectEqual(Set(first.map(\.origin)).count, 1)
    expectEqual(second.map { $0.origin == first[0].origin }, [true, true, true, false, false])
    expectEqual(first[0].origin?.count, 16)
  }

  @Test func `Reading a copy writes nothing to it`() throws {
    let other = try TestFolder()
    try FileManager.default.copyItem(at: folder.file, to: other.file)
    let bytes = try Data(contentsOf: other.file)
    do {
      var configuration = other.ledger(nil)
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration)
      try expectEqual(realm.history().count, 3)
    }
    try expectEqual(Data(contentsOf: other.file), bytes)
    try expectEqual(consume(other), [.restored])
  }

  @Test func `What keeps the file keeps its origin`() throws {
    for _ in 0..<3 { try add("c", folder) }
    var compacting = folder.ledger()
    compacting.shouldCompactOnLaunch = { _, _ in true }
    _ = try Realm(configuration: compacting)
    let moved = folder.url.appendingPathComponent("moved.sqlite")
    try FileManager.default.moveItem(at: folder.file, to: moved)
    try FileManager.default.moveItem(at: moved, to: folder.file)
    try expectEqual(consume(folder), [.write, .write, .write])
    try expectEqual(consume(folder, nil), [])
    try expectEqual(origins(folder), ["began"])
  }

  @Test func `A copy that is migrated at once says first that it is a copy`() throws {
    let other = try TestFolder()
    try FileManager.default.copyItem(at: folder.file, to: other.file)
    try expectEqual(consume(other, version: 1), [.restored, .migration(from: 0, to: 1)])
  }

  // MARK: Files with a past

  @Test func `A file of an earlier release gets an origin, and its consumers learn nothing`() throws
  {
    try folder.execute("DROP TABLE strata_origin")
    let transactions = try Realm(configuration: folder.ledger()).history()
    expectEqual(transactions.map(\.origin), [nil, nil, transactions[2].origin])
    try expectEqual(consume(folder), [])
    try expectEqual(origins(folder), ["began"])
  }

  @Test func `A history that begins again has an origin of its own`() throws {
    let first = try Realm(configuration: folder.ledger()).history().last?.origin
    _ = try Realm(configuration: folder.ledger(.off))
    let other = try TestFolder()
    try FileManager.default.copyItem(at: folder.file, to: other.file)
    // A copy without a history has no consumers.
    do {
      let realm = try Realm(configuration: other.ledger(nil))
      expectNil(try realm.historyToken)
    }
    try expectEqual(consume(other), [.began])
    try expectTrue(
      Realm(configuration: other.ledger()).history().last?.origin != first)
    try expectEqual(origins(other), ["began", "began"])
  }

  @Test func `Other contents of the table are an error, or nothing`() throws {
    try folder.execute("DELETE FROM strata_origin")
    try expectEqual(consume(folder), [])
    for sql in [
      "CREATE TABLE strata_origin (text TEXT)", "CREATE VIEW strata_origin AS SELECT 1 AS number",
      """
      CREATE TABLE strata_origin (number, mark, at, kind, position, inode, born);
      INSERT INTO strata_origin VALUES ('a', 'b', 'c', 'd', 'e', 'f', 'g')
      """,
      """
      CREATE TABLE strata_origin (number, mark, at, kind, position, inode, born);
      INSERT INTO strata_origin VALUES (-9223372036854775808, -9223372036854775808, '', 'promoted',
        -9223372036854775808, NULL, NULL)
      """,
    ] {
      let type = try folder.text("SELECT type FROM sqlite_schema WHERE name = 'strata_origin'")
      try folder.execute("DROP \(type ?? "TABLE") strata_origin; \(sql)")
      try expectEqual(consume(folder), [])
      _ = try Realm(configuration: folder.ledger()).history().map(\.origin)
    }
    // The copy of such a file can't say that it is one.
    try folder.execute("DROP TABLE strata_origin; CREATE TABLE strata_origin (text TEXT)")
    let backup = folder.url.appendingPathComponent("backup.sqlite")
    try Realm.makeBackup(at: backup, for: folder.ledger())
    expectError(containing: "has a table or view 'strata_origin'") {
      try Realm.restoreBackup(at: backup, for: folder.ledger())
    }
    try folder.execute("DROP TABLE strata_origin")
    try expectEqual(consume(folder), [])
  }
}
