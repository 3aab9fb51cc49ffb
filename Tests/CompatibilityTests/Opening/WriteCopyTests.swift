import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var tags: List<String>
  }
}

/// `writeCopy(toFile:)` and `writeCopy(configuration:)`.
@Suite struct WriteCopyTests {
  private func names(in url: URL) throws -> [String] {
    let realm = try Realm(
      configuration: .init(fileURL: url, readOnly: true, objectTypes: [V0.Item.self]))
    return realm.objects(V0.Item.self).map(\.name)
  }

  private func filled() throws -> (TestFile, Realm) {
    let file = try TestFile()
    let realm = try Realm(configuration: file.configuration([V0.Item.self]))
    try realm.write { realm.add(V0.Item(value: [1, "a", ["x", "y"]])) }
    return (file, realm)
  }

  @Test func `A copy has what is committed, and is a file of its own`() throws {
    let (file, realm) = try filled()
    let copy = try TestFile()
    try realm.writeCopy(toFile: copy.url)
    try realm.write { realm.add(V0.Item(value: [2, "b"])) }
    try expectEqual(names(in: copy.url), ["a"])
    let names = try FileManager.default.contentsOfDirectory(atPath: copy.folder.path)
    expectEqual(names, ["test.sqlite"])
    try copy.open([V0.Item.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).first.map { Array($0.tags) }, ["x", "y"])
      try realm.write { realm.add(V0.Item(value: [3, "c"])) }
    }
    try expectEqual(self.names(in: copy.url), ["a", "c"])
    expectEqual(realm.objects(V0.Item.self).map(\.name), ["a", "b"])
    _ = file
  }

  @Test func `Inside of a transaction a copy has its changes`() throws {
    let (file, realm) = try filled()
    let copy = try TestFile()
    realm.beginWrite()
    realm.add(V0.Item(value: [2, "b", ["z"]]))
    realm.object(ofType: V0.Item.self, forPrimaryKey: 1)?.name = "changed"
    try realm.writeCopy(toFile: copy.url)
    realm.cancelWrite()
    try expectEqual(names(in: copy.url), ["changed", "b"])
    expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
    _ = file
  }

  @Test func `A copy is compacted`() throws {
    let (file, realm) = try filled()
    try realm.write {
      for id in 10..<3_000 { realm.add(V0.Item(value: [id, String(repeating: "x", count: 500)])) }
    }
    try realm.write { realm.delete(realm.objects(V0.Item.self)) }
    let copy = try TestFile()
    try realm.writeCopy(toFile: copy.url)
    try expectTrue(Data(contentsOf: copy.url).count < 100_000)
    _ = file
  }

  @Test func `A configuration says where the copy is`() throws {
    let (file, realm) = try filled()
    let copy = try TestFile()
    try realm.writeCopy(configuration: copy.configuration([V0.Item.self]))
    try expectEqual(names(in: copy.url), ["a"])
    expectError(beginning: "A realm can't be copied into memory: set `fileURL`", code: .fail) {
      try realm.writeCopy(configuration: .init(inMemoryIdentifier: "copy"))
    }
    _ = file
  }

  @Test func `A realm in memory can be copied to a file`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [V0.Item.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(V0.Item(value: [1, "a"])) }
    let copy = try TestFile()
    try realm.writeCopy(toFile: copy.url)
    try expectEqual(names(in: copy.url), ["a"])
  }

  @Test func `An existing file stays`() throws {
    let (file, realm) = try filled()
    let copy = try TestFile()
    try copy.write([V0.Item.self]) { $0.add(V0.Item(value: [7, "kept"])) }
    for url in [copy.url, file.url] {
      expectError(
        "The realm at path '\(file.url.path)' can't be copied to '\(url.path)': A file exists "
          + "already. Delete it first, or choose another name.", code: .fileExists
      ) { try realm.writeCopy(toFile: url) }
    }
    try expectEqual(names(in: copy.url), ["kept"])
    try realm.write { realm.add(V0.Item(value: [2, "b"])) }
    expectEqual(realm.objects(V0.Item.self).count, 2)
  }

  @Test func `A missing folder is not made`() throws {
    let (file, realm) = try filled()
    let url = file.folder.appendingPathComponent("none/copy.sqlite")
    expectError(code: .fileNotFound) { try realm.writeCopy(toFile: url) }
    expectFalse(FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test(.enabled(if: !Realm.canEncrypt)) func `A key is refused, and no file is made`() throws {
    let (file, realm) = try filled()
    let copy = try TestFile()
    expectError(beginning: "Encryption is not supported") {
      try realm.writeCopy(toFile: copy.url, encryptionKey: Data(repeating: 1, count: 64))
    }
    expectFalse(FileManager.default.fileExists(atPath: copy.url.path))
    _ = file
  }

  @Test func `A read-only realm can be copied`() throws {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1, "a"])) }
    let realm = try Realm(
      configuration: .init(fileURL: file.url, readOnly: true, objectTypes: [V0.Item.self]))
    let copy = try TestFile()
    try realm.writeCopy(toFile: copy.url)
    try expectEqual(names(in: copy.url), ["a"])
  }
}
