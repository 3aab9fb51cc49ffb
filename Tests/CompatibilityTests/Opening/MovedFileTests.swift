import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var name = ""
  }
}

/// A file that any program moves or deletes while a realm has it open.
@Suite struct MovedFileTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func expectRefusal(_ realm: Realm, _ file: TestFile) throws {
    expectError(
      "The file at path '\(file.url.path)' was deleted, moved or replaced while it was open: new "
        + "changes would be lost. Release all realms of the path, and open it again.",
      code: .fileNotFound
    ) {
      try realm.write { realm.add(V0.Item(value: ["lost"])) }
    }
    expectFalse(realm.isInWriteTransaction)
  }

  @Test func `Writing to a file that was deleted is refused`() throws {
    do {
      let realm = try Realm(configuration: file.configuration([V0.Item.self]))
      try realm.write { realm.add(V0.Item(value: ["a"])) }
      for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
        try FileManager.default.removeItem(at: file.folder.appendingPathComponent(name))
      }
      try expectRefusal(realm, file)
      // Data that was read stays readable.
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
    }
    try file.open([V0.Item.self]) { realm in
      try realm.write { realm.add(V0.Item(value: ["new"])) }
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["new"])
    }
  }

  @Test func `Writing to a file that was replaced is refused`() throws {
    let other = try TestFile()
    try other.write([V0.Item.self]) { $0.add(V0.Item(value: ["other"])) }
    do {
      let realm = try Realm(configuration: file.configuration([V0.Item.self]))
      try realm.write { realm.add(V0.Item(value: ["a"])) }
      expectEqual(rename(other.url.path, file.url.path), 0)
      try expectRefusal(realm, file)
    }
    try file.open([V0.Item.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["other"])
    }
  }

  /// SQLite finds a WAL by its name. A WAL that is left behind would be used for the next file of
  /// the same name.
  @Test(arguments: [false, true]) func `The WAL of a file that was replaced stays with it`(
    isHeard: Bool
  ) throws {
    let other = try TestFile()
    let names = (0..<500).map { "other \($0)" }
    try other.write([V0.Item.self]) { realm in
      for name in names { realm.add(V0.Item(value: [name])) }
    }
    let old = file.folder.appendingPathComponent("old.sqlite")
    do {
      let realm = try Realm(configuration: file.configuration([V0.Item.self]))
      let token = isHeard ? realm.objects(V0.Item.self).observe { _ in } : nil
      for number in 0..<100 { try realm.write { realm.add(V0.Item(value: ["\(number)"])) } }
      // The old file is there under another name.
      expectEqual(rename(file.url.path, old.path), 0)
      expectEqual(rename(other.url.path, file.url.path), 0)
      try expectRefusal(realm, file)
      token?.invalidate()
    }
    for _ in 0..<2 {
      try file.open([V0.Item.self]) { realm in
        expectEqual(realm.objects(V0.Item.self).map(\.name), names)
      }
    }
    try expectTrue(Realm.problems(for: file.configuration([V0.Item.self])).isEmpty)
    let configuration = Realm.Configuration(fileURL: old, objectTypes: [V0.Item.self])
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(V0.Item.self).map(\.name), (0..<100).map { "\($0)" })
  }

  @Test func `A file that is gone isn't made again by the first transaction`() throws {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    let realm = try Realm(configuration: file.configuration([V0.Item.self]))
    expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
    for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
      try FileManager.default.removeItem(at: file.folder.appendingPathComponent(name))
    }
    try expectRefusal(realm, file)
    try expectTrue(FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
    expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
  }

  @Test func `The first transaction doesn't write to a file that replaced the one that is shown`()
    throws
  {
    let (file, other) = (try TestFile(), try TestFile())
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    try other.write([V0.Item.self]) { $0.add(V0.Item(value: ["other"])) }
    do {
      let realm = try Realm(configuration: file.configuration([V0.Item.self]))
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
      expectEqual(rename(other.url.path, file.url.path), 0)
      try expectRefusal(realm, file)
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
      for name in ["-wal", "-shm"] { unlink(file.url.path + name) }
    }
    try file.open([V0.Item.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["other"])
    }
  }

  @Test(arguments: [true, false])
  func `A further reader reads no file that took the name, and makes none`(
    isReplaced: Bool
  ) throws {
    let (file, other) = (try TestFile(), try TestFile())
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    try other.write([V0.Item.self]) { $0.add(V0.Item(value: ["other"])) }
    let realm = try Realm(configuration: file.configuration([V0.Item.self]))
    // It has the connection that the realm opened: the realm needs another one.
    let frozen = realm.freeze()
    for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
      try FileManager.default.removeItem(at: file.folder.appendingPathComponent(name))
    }
    if isReplaced { expectEqual(rename(other.url.path, file.url.path), 0) }
    let items = realm.objects(V0.Item.self)
    expectIssue(
      "The file at path '\(file.url.path)' was deleted, moved or replaced while it was open, and no "
        + "further connection to it can be opened. Release all realms of the path, and open it again."
    ) { expectTrue(items.isEmpty) }
    expectEqual(frozen.objects(V0.Item.self).map(\.name), ["a"])
    expectEqual(FileManager.default.fileExists(atPath: file.url.path), isReplaced)
  }

  @Test(arguments: ["-wal", "-shm"], [true, false])
  func `Writing is refused when the WAL, or its index, was deleted or replaced`(
    suffix: String, isReplaced: Bool
  ) throws {
    let companion = file.url.path + suffix
    do {
      let realm = try Realm(configuration: file.configuration([V0.Item.self]))
      try realm.write { realm.add(V0.Item(value: ["a"])) }
      expectEqual(unlink(companion), 0)
      if isReplaced { try Data(count: 32).write(to: URL(fileURLWithPath: companion)) }
      expectError(
        "'\(companion)', which belongs to the file, was deleted or replaced while it was open: new "
          + "changes would be lost. Release all realms of the file, in each program, and open it again.",
        code: .fileNotFound
      ) {
        try realm.write { realm.add(V0.Item(value: ["lost"])) }
      }
      expectFalse(realm.isInWriteTransaction)
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
      if isReplaced { expectEqual(unlink(companion), 0) }
    }
    try file.open([V0.Item.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
      try realm.write { realm.add(V0.Item(value: ["new"])) }
    }
  }

  @Test func `The first transaction finds that the WAL was deleted since the file was opened`()
    throws
  {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    let realm = try Realm(configuration: file.configuration([V0.Item.self]))
    expectEqual(realm.objects(V0.Item.self).map(\.name), ["a"])
    for suffix in ["-wal", "-shm"] { expectEqual(unlink(file.url.path + suffix), 0) }
    expectError(code: .fileNotFound) {
      try realm.write { realm.add(V0.Item(value: ["lost"])) }
    }
  }

  @Test func `Looking for others makes no file in the place of one that is gone`() async throws {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    let realm = try Realm(configuration: file.configuration([V0.Item.self]))
    for name in try FileManager.default.contentsOfDirectory(atPath: file.folder.path) {
      try FileManager.default.removeItem(at: file.folder.appendingPathComponent(name))
    }
    expectFalse(realm.refresh())
    // As the library does five times a second.
    try await Task.sleep(for: .seconds(1))
    try expectTrue(FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
    withExtendedLifetime(realm) {}
  }

  @Test func `A file that is replaced while it is being opened is opened as it is then`() throws {
    let (file, other) = (try TestFile(), try TestFile())
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    try other.write([V0.Item.self]) { $0.add(V0.Item(value: ["other"])) }
    var configuration = file.configuration([V0.Item.self])
    let (path, otherPath) = (file.url.path, other.url.path)
    // It is asked when a connection has the file open.
    configuration.shouldCompactOnLaunch = { _, _ in
      rename(otherPath, path)
      return false
    }
    do {
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["other"])
      try realm.write { realm.add(V0.Item(value: ["new"])) }
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["other", "new"])
    }
    try file.open([V0.Item.self]) { realm in
      expectEqual(realm.objects(V0.Item.self).map(\.name), ["other", "new"])
    }
  }

  @Test func `A file that is replaced each time that it is opened is an error`() throws {
    let (file, other) = (try TestFile(), try TestFile())
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: ["a"])) }
    try other.write([V0.Item.self]) { $0.add(V0.Item(value: ["other"])) }
    var configuration = file.configuration([V0.Item.self])
    let (url, content) = (file.url, try Data(contentsOf: other.url))
    configuration.shouldCompactOnLaunch = { _, _ in
      // Written beside it, and given its name.
      _ = FileManager.default.createFile(atPath: url.path + ".new", contents: content)
      rename(url.path + ".new", url.path)
      return false
    }
    expectError(
      "Realm at path '\(url.path)' can't be opened: other programs keep deleting or replacing its file. "
        + "Stop them, and open it again.", code: .fileNotFound
    ) {
      _ = try Realm(configuration: configuration)
    }
  }
}
