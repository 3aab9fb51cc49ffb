import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var text = ""
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var text = ""
    @Persisted var length = 0
  }
}

/// In-memory files, seed files, and compaction.
@Suite("Other settings") struct OtherSettingsTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func inMemory(_ identifier: String) -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [V0.Item.self])
  }

  @Test
  func `An in-memory realm is shared by its name, and empty after its last instance is released`()
    throws
  {
    let name = UUID().uuidString
    do {
      let first = try Realm(configuration: inMemory(name))
      try first.write { first.add(V0.Item(value: ["a"])) }
      let second = try Realm(configuration: inMemory(name))
      expectEqual(second.objects(V0.Item.self).map(\.text), ["a"])
      let other = try Realm(configuration: inMemory(name + "2"))
      expectTrue(other.isEmpty)
      expectEqual(first.objects(V0.Item.self).count, 1)
    }
    let again = try Realm(configuration: inMemory(name))
    expectTrue(again.isEmpty)
  }

  @Test func `An in-memory realm is shared with other threads`() async throws {
    let configuration = inMemory(UUID().uuidString)
    let realm = try Realm(configuration: configuration)
    try await Task.detached {
      let other = try Realm(configuration: configuration)
      try other.write { other.add(V0.Item(value: ["b"])) }
    }.value
    expectEqual(realm.objects(V0.Item.self).map(\.text), ["b"])
  }

  @Test func `A path and an in-memory identifier exclude each other`() {
    var configuration = Realm.Configuration(inMemoryIdentifier: "name")
    expectNil(configuration.fileURL)
    configuration.fileURL = URL(fileURLWithPath: "/tmp/some.sqlite")
    expectNil(configuration.inMemoryIdentifier)
    configuration.inMemoryIdentifier = "other"
    expectNil(configuration.fileURL)
  }

  @Test(.enabled(if: !Realm.canEncrypt))
  func `A key is refused, and nothing is ever stored unencrypted instead`() throws {
    var configuration = file.configuration([V0.Item.self])
    configuration.encryptionKey = Data(repeating: 1, count: 64)
    var error = try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration)
    }
    expectTrue(error.message.hasPrefix("Encryption is not supported"))
    expectFalse(FileManager.default.fileExists(atPath: file.url.path))
    configuration.inMemoryIdentifier = "encrypted"
    error = try #require(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    expectEqual(error.message, "Encryption is not supported for in-memory realms")
  }

  @Test func `A seed is copied if there is no file, and only then`() throws {
    let seed = try TestFile()
    try seed.write([V0.Item.self]) { $0.add(V0.Item(value: ["seed"])) }
    let before = try Data(contentsOf: seed.url)
    var configuration = file.configuration([V0.Item.self])
    configuration.seedFilePath = seed.url
    for _ in 0..<2 {
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(V0.Item.self).first?.text, "seed")
      try realm.write { realm.add(V0.Item(value: ["own"])) }
    }
    try expectEqual(file.values("Item", "text"), ["seed", "own", "own"])
    try expectEqual(Data(contentsOf: seed.url), before)
  }

  @Test func `An older seed is migrated, from its version on`() throws {
    let seed = try TestFile()
    try seed.write([V0.Item.self], version: 2) { $0.add(V0.Item(value: ["seed"])) }
    let calls = Box<[UInt64]>([])
    var configuration = file.configuration([V1.Item.self], version: 3) { migration, old in
      calls.append(old)
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["length"] = (old?["text"] as? String)?.count
      }
    }
    configuration.seedFilePath = seed.url
    let realm = try Realm(configuration: configuration)
    expectEqual(calls.value, [2])
    expectEqual(realm.objects(V1.Item.self).map(\.length), [4])
    try expectEqual(seed.version, 2)
  }

  @Test func `A missing seed is an error, and makes no file`() throws {
    var configuration = file.configuration([V0.Item.self])
    configuration.seedFilePath = file.folder.appendingPathComponent("none")
    #expect(throws: (any Error).self) { _ = try Realm(configuration: configuration) }
    expectFalse(FileManager.default.fileExists(atPath: file.url.path))
  }

  @Test func `Compaction is asked for at the first open only, and before the migration`() throws {
    try file.write([V0.Item.self]) { realm in
      realm.add((0..<1_000).map { V0.Item(value: ["\($0) " + String(repeating: "x", count: 200)]) })
    }
    try file.write([V0.Item.self]) { realm in
      realm.delete(Array(realm.objects(V0.Item.self)).dropFirst(10))
    }
    let events = Box<[String]>([])
    let sizes = Box<(total: Int, used: Int)>((0, 0))
    var configuration = file.configuration([V1.Item.self], version: 1) { _, _ in
      events.append("migrated")
    }
    configuration.shouldCompactOnLaunch = { total, used in
      events.append("asked")
      sizes.value = (total, used)
      return true
    }
    do {
      let realm = try Realm(configuration: configuration)
      _ = try Realm(configuration: configuration)
      expectEqual(events.value, ["asked", "migrated"])
      expectTrue(sizes.value.used < sizes.value.total)
      expectEqual(realm.objects(V1.Item.self).count, 10)
    }
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int)
    expectTrue(size < sizes.value.total / 2)
  }

  @Test func `A file is not compacted if the answer is no`() throws {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    let before = try Data(contentsOf: file.url)
    var configuration = file.configuration([V0.Item.self])
    configuration.shouldCompactOnLaunch = { _, _ in false }
    try expectEqual(Realm(configuration: configuration).objects(V0.Item.self).count, 1)
    try expectEqual(Data(contentsOf: file.url), before)
  }
}
