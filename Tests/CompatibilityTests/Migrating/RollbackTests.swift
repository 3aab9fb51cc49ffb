import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V1

private enum V1 {
  class Item: Object {
    @Persisted var number: String
    @Persisted var title = ""
    @Persisted var added = 1
  }
}

/// Failed migrations of each kind, which leave the file unchanged.
@Suite("Rollback") struct RollbackTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write([V0.Item.self, V0.Gone.self]) { realm in
      realm.add(V0.Item(value: [1, "a"]))
      realm.add(V0.Item(value: [2, "b"]))
      realm.add(V0.Gone(value: ["g"]))
    }
  }

  /// Does a bit of everything.
  private static let work: MigrationBlock = { migration, _ in
    migration.renameProperty(onType: "Item", from: "text", to: "title")
    migration.enumerateObjects(ofType: "Item") { old, new in
      new?["number"] = "#\(text(old?["number"]))"
      if let new, old?["number"] as? Int == 1 { migration.delete(new) }
    }
    migration.create("Item", value: ["3", "c"])
    migration.create("Fresh", value: ["f"])
    migration.deleteData(forType: "Gone")
  }

  private func expectUntouched(_ file: TestFile, _ before: String) throws {
    try expectEqual(file.version, 0)
    try expectEqual(file.dump(), before)
    try file.open([V0.Item.self, V0.Gone.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).map(\.number), [1, 2])
      expectEqual(realm.objects(V0.Item.self).map(\.text), ["a", "b"])
      expectEqual(realm.objects(V0.Gone.self).map(\.text), ["g"])
    }
  }

  @Test
  func `An error that the block throws reaches the caller unchanged and undoes everything`() throws
  {
    let before = try file.dump()
    #expect(throws: Deliberate(number: 3)) {
      try file.migrate([V1.Item.self, V0.Fresh.self], to: 1) { migration, old in
        try RollbackTests.work(migration, old)
        throw Deliberate(number: 3)
      }
    }
    try expectUntouched(file, before)
  }

  @Test func `A mistake in the last line of the block undoes everything, too`() throws {
    let before = try file.dump()
    let error = try file.failure([V1.Item.self, V0.Fresh.self], to: 1) { migration, old in
      try RollbackTests.work(migration, old)
      migration.create("NoSuchClass")
    }
    expectTrue(error.message.contains("'NoSuchClass' is not managed"))
    try expectUntouched(file, before)
  }

  @Test func `The block may be tried again, and sees the same version and the same rows`() throws {
    let calls = Box<[String]>([])
    for attempt in 1...3 {
      do {
        try file.migrate([V1.Item.self, V0.Fresh.self], to: 1) { migration, old in
          var rows: [String] = []
          migration.enumerateObjects(ofType: "Item") { old, _ in
            rows.append(text(old?["text"]))
          }
          calls.append("\(old) \(rows.joined())")
          try RollbackTests.work(migration, old)
          if attempt < 3 { throw Deliberate(number: attempt) }
        }
      } catch let error as Deliberate {
        expectEqual(error.number, attempt)
      }
    }
    expectEqual(calls.value, ["0 ab", "0 ab", "0 ab"])
    try expectEqual(file.version, 1)
    try expectEqual(file.values("Item", "number"), ["#2", "3"])
    try expectEqual(file.values("Item", "title"), ["b", "c"])
    try expectEqual(file.values("Fresh", "text"), ["f"])
    try expectEqual(file.storedSchema().names, ["Fresh", "Item"])
  }

  @Test func `The harmless part of a refused open is undone as well`() throws {
    let before = try file.dump()
    let error = try file.failure([V1.Item.self, V0.Gone.self, V0.Fresh.self], to: 0)
    expectEqual(error.code, .schemaMismatch)
    try expectUntouched(file, before)
  }
}
