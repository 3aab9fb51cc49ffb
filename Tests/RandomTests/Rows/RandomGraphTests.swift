import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Random graphs of every type")
struct RandomGraphTests {
  static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

  @Test(arguments: seeds)
  func `Random graphs are the same when another process reads them`(seed: UInt64) async throws {
    let folder = try TestFolder()
    let maker = GraphMaker(seed: seed, count: 12)
    let objects: [Random.Node] = maker.nodes + maker.leaves
    let expected = objects.map { GraphText.of($0) }
    try folder.open(Random.types) { realm in
      try realm.write { realm.add(objects) }
      expectEqual(objects.map { GraphText.of($0) }, expected, "seed \(seed)")
    }
    try expectTrue(folder.isSound())
    let text = folder.url.appendingPathComponent("expected.txt")
    try Data(expected.joined(separator: "\n").utf8).write(to: text)
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Self.compare(path)
    }
  }

  /// Reads the file of a folder, and compares it with the text beside it.
  static func compare(_ path: String) throws {
    let folder = URL(fileURLWithPath: path)
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.appendingPathComponent("test.sqlite"), objectTypes: Random.types))
    let found =
      realm.objects(Random.Node.self).sorted(byKeyPath: "id").map { GraphText.of($0) }
      + realm.objects(Random.Leaf.self).sorted(byKeyPath: "id").map { GraphText.of($0) }
    let expected = try String(
      contentsOf: folder.appendingPathComponent("expected.txt"), encoding: .utf8)
    guard found.joined(separator: "\n") == expected else { exit(1) }
  }

  @Test(arguments: seeds)
  func `Random graphs are copied by create(value:) as a whole`(seed: UInt64) throws {
    let first = try TestFolder()
    let second = try TestFolder()
    let maker = GraphMaker(seed: seed, count: 8)
    let objects: [Random.Node] = maker.nodes + maker.leaves
    let expected = objects.map { GraphText.of($0) }
    let source = try Realm(configuration: first.configuration(Random.types))
    try source.write { source.add(objects) }
    let target = try Realm(configuration: second.configuration(Random.types))
    try target.write {
      for object in objects { target.create(type(of: object), value: object, update: .modified) }
    }
    let found =
      target.objects(Random.Node.self).sorted(byKeyPath: "id").map { GraphText.of($0) }
      + target.objects(Random.Leaf.self).sorted(byKeyPath: "id").map { GraphText.of($0) }
    expectEqual(found, expected, "seed \(seed)")
    expectEqual(objects.map { GraphText.of($0) }, expected)
    try expectTrue(second.isSound())
    try target.write { target.deleteAll() }
    try expectEqual(second.rowCount(), 0)
  }

  @Test(arguments: seeds, [true, false])
  func `Random graphs are made by a migration as a whole`(seed: UInt64, isCopied: Bool) throws {
    let folder = try TestFolder()
    let types = Random.types + [Random.Graph.self]
    nonisolated(unsafe) let maker = GraphMaker(seed: seed, count: 8)
    let objects: [Random.Node] = maker.nodes + maker.leaves
    let expected = objects.map { GraphText.of($0) }
    try folder.open(types) { _ in }
    let block: MigrationBlock = { migration, _ in
      if isCopied {
        migration.create("Graph", value: ["nodes": maker.nodes, "leaves": maker.leaves])
      } else {
        let graph = migration.create(Random.Graph.self)
        graph.nodes.append(objectsIn: maker.nodes)
        graph.leaves.append(objectsIn: maker.leaves)
      }
    }
    try folder.open(types, version: 1, block) { realm in
      let graph = try #require(realm.objects(Random.Graph.self).first)
      expectEqual(
        graph.nodes.map { GraphText.of($0) } + graph.leaves.map { GraphText.of($0) }, expected)
      expectEqual(realm.objects(Random.Node.self).count, maker.nodes.count)
      expectEqual(realm.objects(Random.Leaf.self).count, maker.leaves.count)
    }
  }

  @Test(arguments: seeds)
  func `Objects without links are the same rows by each way into a file`(seed: UInt64) throws {
    let maker = GraphMaker(seed: seed, count: 40)
    let names = Random.Flat().objectSchema.properties.map(\.name)
    nonisolated(unsafe) let values = maker.nodes.map { node in
      Dictionary(uniqueKeysWithValues: names.map { ($0, node[$0]) })
    }
    func rows(_ folder: TestFolder) throws -> [Row] {
      try folder.sql { try Row.fetchAll($0, sql: "SELECT * FROM Flat ORDER BY id") }
    }
    func rows(_ store: (Realm) throws -> Void) throws -> [Row] {
      let folder = try TestFolder()
      try folder.open([Random.Flat.self]) { realm in try realm.write { try store(realm) } }
      return try rows(folder)
    }
    let added = try rows { realm in values.forEach { realm.add(Random.Flat(value: $0)) } }
    expectEqual(added.count, 40)
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let updated = try rows { realm in
        values.forEach { realm.add(Random.Flat(value: $0), update: policy) }
      }
      expectEqual(updated, added)
      let created = try rows { realm in
        values.forEach { realm.create(Random.Flat.self, value: $0, update: policy) }
      }
      expectEqual(created, added)
    }
    let migrated = try TestFolder()
    try migrated.open([Random.Flat.self]) { _ in }
    let block: MigrationBlock = { migration, _ in
      for (index, value) in values.enumerated() {
        if index.isMultiple(of: 2) {
          migration.create("Flat", value: value)
        } else {
          migration.create("Flat", value: Random.Flat(value: value))
        }
      }
    }
    try migrated.open([Random.Flat.self], version: 1, block) { _ in }
    try expectEqual(rows(migrated), added)
  }
}

extension TestFolder {
  /// The rows of all tables that belong to classes and their collections.
  func rowCount() throws -> Int {
    try sql { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
          AND name NOT LIKE 'strata%' AND name <> 'grdb_migrations'
          """)
      return try tables.reduce(0) {
        try $0 + (Int.fetchOne(db, sql: "SELECT count(*) FROM \"\($1)\"") ?? 0)
      }
    }
  }
}
