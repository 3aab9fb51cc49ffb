import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Classes and columns of any name.
@Suite("Hostile names")
struct HostileNamesTests {
  static let seeds: [Int] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["STRATA_NAMES_SEED"].flatMap({ Int($0) }) { return [seed] }
    return Array(1...(environment["STRATA_FAULTS"] == "all" ? 2_000 : 80))
  }()

  @Test(arguments: seeds)
  func `Hostile names work in everything, or are refused by name before anything is changed`(
    seed: Int
  ) throws {
    let folder = try TestFolder()
    let names = HostileSchema.names(4 * seed)
    do {
      try create(folder, seed)
    } catch let error as Realm.Error {
      try expectRefusal(error, names, folder, seed)
      expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
      return
    }
    guard try migrate(folder, seed, names) else { return }
    try removeClass(folder, seed, names)
    try expectEqual(Realm.problems(for: Realm.Configuration(fileURL: folder.file)), [])
    try dumpAndRestore(folder)
  }

  private func comment(_ names: HostileNames, _ seed: Int) -> Comment {
    "\(names) STRATA_NAMES_SEED=\(seed) swift test --filter HostileNamesTests"
  }

  private func expectRefusal(
    _ error: Realm.Error, _ names: HostileNames, _ folder: TestFolder, _ seed: Int
  ) throws {
    let all = names.classNames + names.columns
    let isNamed = all.contains {
      !$0.isEmpty && error.message.contains($0.replacingOccurrences(of: "\0", with: "\\0"))
    }
    expectTrue(
      error.code == .fail && (isNamed || all.contains("")),
      "\(error.message) \(comment(names, seed))")
  }

  private func create(_ folder: TestFolder, _ seed: Int) throws {
    let types = HostileSchema.types(seed: seed, version: 0)
    try folder.write(types) { realm in
      guard let type = types[0] as? Object.Type, let other = types[2] as? Object.Type else {
        return
      }
      for number in 1...3 {
        let b = realm.create(other, value: ["number": number])
        realm.create(
          type,
          value: [
            "number": number, "text": "text \(number)", "any": b, "link": b,
            "list": ["a", "b"], "set": [1, nil] as [Int?], "map": ["k": b],
            "part": ["text": "part \(number)"], "parts": [["text": "one"], ["text": "two"]],
          ])
      }
      if let last = realm.objects(of: other).last { realm.delete(last) }
    }
    try folder.open(types) { realm in
      guard let type = types[0] as? Object.Type else { return }
      let objects = realm.objects(of: type)
      expectEqual(objects.map { $0["text"] as? String }, ["text 1", "text 2", "text 3"])
      expectEqual(objects.map { $0["link"] == nil }, [false, false, true])
      expectEqual(objects.map { "\($0["number"] ?? 0)" }, ["1", "2", "3"])
    }
  }

  /// A rename, a rebuild, and all columns read and written. Returns whether it was possible.
  private func migrate(_ folder: TestFolder, _ seed: Int, _ names: HostileNames) throws -> Bool {
    let types = HostileSchema.types(seed: seed, version: 1)
    let block: MigrationBlock = { migration, _ in
      let a = names.classNames[0]
      migration.renameProperty(onType: a, from: names.columns[1], to: names.columns[9])
      migration.enumerateObjects(ofType: a) { old, new in
        for property in old!.objectSchema.properties { _ = old![property.name] }
        new!["numberText"] = "number \(old![names.columns[0]]!)"
        new!["text"] = "\(new!["text"]!)!"
        (new!["list"] as? List<String>)?.append("c")
        new!["part"] = ["text": "another"]
        for property in new!.objectSchema.properties { _ = new![property.name] }
      }
      migration.enumerateObjects(ofType: names.classNames[1]) { old, new in
        new!["number"] = (old![names.columns[1]] as! Int) * 10
      }
    }
    do {
      try folder.open(types, version: 1, block) { realm in
        guard let type = types[0] as? Object.Type else { return }
        let objects = realm.objects(of: type)
        expectEqual(objects.map { $0["text"] as? String }, ["text 1!", "text 2!", "text 3!"])
        expectEqual(
          objects.map { $0["numberText"] as? String }, ["number 1", "number 2", "number 3"])
        expectEqual(objects.map { ($0["link"] as? Object)?["number"] as? Int }, [10, 20, nil])
      }
    } catch let error as Realm.Error {
      // The name that a column gets may be impossible beside the others.
      try expectRefusal(error, names, folder, seed)
      return false
    }
    return true
  }

  private func removeClass(_ folder: TestFolder, _ seed: Int, _ names: HostileNames) throws {
    let types = HostileSchema.types(seed: seed, version: 2)
    let block: MigrationBlock = { migration, _ in
      migration.deleteData(forType: names.classNames[1])
    }
    try folder.open(types, version: 2, block) { realm in
      guard let type = types[0] as? Object.Type else { return }
      expectEqual(realm.objects(of: type).count, 3)
    }
    let tables = try folder.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    expectFalse(tables.contains { $0.utf8.elementsEqual(names.classNames[1].utf8) })
  }

  /// The text of the `sqlite3` tool, where there is one, makes the same file.
  private func dumpAndRestore(_ folder: TestFolder) throws {
    guard SQLiteTool.isThere else { return }
    try SQLiteTool.output(of: "sqlite3 test.sqlite .dump | sqlite3 copy.sqlite", in: folder.url)
    let copy = folder.url.appendingPathComponent("copy.sqlite").path
    let count = "SELECT count(*) FROM sqlite_schema"
    let restored = try DatabaseQueue(path: copy).read { try Int.fetchOne($0, sql: count) }
    try expectEqual(restored, folder.number(count))
  }
}
