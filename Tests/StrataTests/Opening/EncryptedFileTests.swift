import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Files with an `encryptionKey`. They run where the SQLite library of the tests can encrypt:
/// `make test-encryption` builds such a library.
@Suite(.enabled(if: FileKey.libraryVersion != nil)) struct EncryptedFileTests {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var tags: List<String>
  }

  /// In no file that is encrypted.
  static let secret = "zq-visible-text-zq"

  private let folder: TestFolder
  private let key = Data((0..<64).map { UInt8($0) })
  private var otherKey: Data {
    var key = key
    key[63] ^= 1
    return key
  }

  init() throws {
    folder = try TestFolder()
    // The check of the folder's files has no key.
    folder.isDamaged = true
  }

  private func configuration(_ key: Data?, _ name: String = "test.sqlite") -> Realm.Configuration {
    var configuration = folder.configuration([Note.self])
    configuration.fileURL = folder.url.appendingPathComponent(name)
    configuration.encryptionKey = key
    return configuration
  }

  private func fill(_ configuration: Realm.Configuration, _ count: Int = 500) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count {
        realm.add(
          Note(value: ["id": id, "text": "\(Self.secret) \(id)", "tags": ["a \(Self.secret)"]]))
      }
    }
  }

  /// Whether the text is in any file of the folder, folders in it included.
  private func secretIsVisible() throws -> Bool {
    let files = FileManager.default.enumerator(
      at: folder.url, includingPropertiesForKeys: [.isRegularFileKey])
    while let file = files?.nextObject() as? URL {
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      if try Data(contentsOf: file).range(of: Data(Self.secret.utf8)) != nil { return true }
    }
    return false
  }

  private func texts(_ configuration: Realm.Configuration) throws -> [String] {
    try Realm(configuration: configuration).objects(Note.self).sorted(byKeyPath: "id").map(\.text)
  }

  private static func texts(_ count: Int) -> [String] { (0..<count).map { "\(secret) \($0)" } }

  @Test func `What is written can be read again, and is nowhere in the file or its WAL`() throws {
    let realm = try Realm(configuration: configuration(key))
    try fill(configuration(key))
    try expectFalse(secretIsVisible())
    expectEqual(realm.objects(Note.self).where { $0.text.contains("text-zq 17") }.count, 11)
    try realm.write { realm.objects(Note.self)[3].tags.append(Self.secret) }
    let frozen = realm.freeze()
    try realm.write { realm.delete(realm.object(ofType: Note.self, forPrimaryKey: 400)!) }
    expectEqual(frozen.objects(Note.self).count, 500)
    expectEqual(realm.objects(Note.self).count, 499)
    try expectFalse(secretIsVisible())
  }

  @Test func `A closed file is opened again with its key`() throws {
    for count in 1...3 {
      do {
        let realm = try Realm(configuration: configuration(key))
        try realm.write { realm.add(Note(value: ["id": count, "text": Self.secret])) }
      }
      try expectEqual(texts(configuration(key)).count, count)
    }
    try expectFalse(secretIsVisible())
    try expectEqual(Realm.problems(for: configuration(key)), [])
  }

  @Test func `Another key, no key and a key for a plain file are three errors`() throws {
    try fill(configuration(key))
    let wrong = try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration(otherKey))
    }
    expectEqual(wrong.code, .invalidDatabase)
    expectTrue(
      wrong.message.contains("it can't be decrypted. Either `encryptionKey` is not the key"))
    let missing = try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration(nil))
    }
    expectEqual(missing.code, .invalidDatabase)
    expectTrue(missing.message.contains("or it is encrypted, which needs `encryptionKey`"))
    try fill(configuration(nil, "plain.sqlite"))
    let plain = try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration(key, "plain.sqlite"))
    }
    expectEqual(plain.code, .invalidDatabase)
    expectTrue(plain.message.contains("it is not encrypted. Open it without `encryptionKey`"))
    for file in ["plain.sqlite-wal", "plain.sqlite-shm"] {
      expectFalse(
        FileManager.default.fileExists(atPath: folder.url.path + "/" + file), "\(file) is left")
    }
    for (key, name, end) in [
      (otherKey, "test.sqlite", "it can't be decrypted."),
      (key, "plain.sqlite", "it is not encrypted."),
    ] {
      let file = folder.url.appendingPathComponent(name)
      expectError(beginning: "Failed to open Realm file at path '\(file.path)': \(end)") {
        try Realm.inspection(at: file, encryptionKey: key)
      }
    }
    for error in [wrong, missing, plain] {
      expectFalse(error.message.contains("x'"))
      expectFalse("\(error)".contains(FileKey(key).literal))
    }
    // Nothing was lost by that.
    try expectEqual(texts(configuration(key)), Self.texts(500))
    try expectEqual(texts(configuration(nil, "plain.sqlite")), Self.texts(500))
  }

  @Test func `The realm of an object is opened again by its configuration`() throws {
    try fill(configuration(key), 1)
    let note = try #require(try Realm(configuration: configuration(key)).objects(Note.self).first)
    let known = try #require(note.realm).configuration
    expectEqual(known.encryptionKey, key)
    try expectEqual(Realm(configuration: known).objects(Note.self).count, 1)
  }

  @Test func `An open file is not opened with another key`() throws {
    let realm = try Realm(configuration: configuration(key))
    expectError(containing: "already opened with different encryption key") {
      _ = try Realm(configuration: configuration(otherKey))
    }
    withExtendedLifetime(realm) {}
  }

  @Test func `SQLCipher opens the file with the documented statement`() throws {
    try fill(configuration(key))
    // The SHA-256 of the bytes from 0 to 63, as other programs compute it.
    let digest = "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA key = \"x'\(digest)'\"") }
    let queue = try DatabaseQueue(path: folder.file.path, configuration: configuration)
    let (count, integrity) = try queue.read {
      (
        try Int.fetchOne($0, sql: "SELECT count(*) FROM Note"),
        try String.fetchOne($0, sql: "PRAGMA integrity_check")
      )
    }
    expectEqual(count, 500)
    expectEqual(integrity, "ok")
  }

  @Test func `What is known of a file needs its key`() throws {
    try fill(configuration(key))
    let url = folder.file
    try expectEqual(schemaVersionAtURL(url, encryptionKey: key), 0)
    try expectEqual(Realm.migrationHistory(at: url, encryptionKey: key).map(\.version), [0])
    try expectEqual(Realm.inspection(at: url, encryptionKey: key).objectCounts["Note"], 500)
    #expect(throws: Realm.Error.self) {
      try schemaVersionAtURL(url, encryptionKey: otherKey)
    }
    #expect(throws: Realm.Error.self) { try schemaVersionAtURL(url) }
    #expect(throws: Realm.Error.self) { try Realm.inspection(at: url) }
    #expect(throws: Realm.Error.self) { try Realm.problems(for: configuration(nil)) }
    let realm = try Realm(configuration: configuration(key))
    try expectEqual(schemaVersionAtURL(url, encryptionKey: key), 0)
    #expect(throws: Realm.Error.self) { try schemaVersionAtURL(url) }
    withExtendedLifetime(realm) {}
  }

  @Test(arguments: [false, true])
  func `A copy keeps, changes, loses or gets a key`(inTransaction: Bool) throws {
    try fill(configuration(key))
    try fill(configuration(nil, "plain.sqlite"))
    let keys: [(Data?, String)] = [(key, "same"), (otherKey, "other"), (nil, "none")]
    for source in ["test.sqlite", "plain.sqlite"] {
      let realm = try Realm(
        configuration: configuration(source == "test.sqlite" ? key : nil, source))
      if inTransaction {
        realm.beginWrite()
        realm.add(Note(value: ["id": 500, "text": "\(Self.secret) 500"]))
      }
      for (key, name) in keys {
        let copy = folder.url.appendingPathComponent("\(name) of \(source)")
        try realm.writeCopy(toFile: copy, encryptionKey: key)
      }
      if inTransaction { realm.cancelWrite() }
      for (key, name) in keys {
        let copy = configuration(key, "\(name) of \(source)")
        try expectEqual(texts(copy), Self.texts(inTransaction ? 501 : 500))
        try expectEqual(Realm.problems(for: copy), [])
        let data = try Data(contentsOf: #require(copy.fileURL))
        expectEqual((data.range(of: Data(Self.secret.utf8)) != nil), (key == nil))
        // The identities go on where they were.
        let realm = try Realm(configuration: copy)
        try realm.write { realm.add(Note(value: ["id": 1_000])) }
      }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectFalse(left.contains { $0.contains("whole") || $0.contains("copy-") })
  }

  @Test func `A backup and what is restored of it have the key`() throws {
    try fill(configuration(key))
    let backup = folder.url.appendingPathComponent("backup.sqlite")
    try Realm.makeBackup(at: backup, for: configuration(key))
    try expectTrue(Realm.deleteFiles(for: configuration(key)))
    try fill(configuration(key), 3)
    try Realm.restoreBackup(at: backup, for: configuration(key))
    try expectEqual(texts(configuration(key)), Self.texts(500))
    try expectFalse(secretIsVisible())
    #expect(throws: Realm.Error.self) {
      try Realm.restoreBackup(at: backup, for: configuration(nil, "other.sqlite"))
    }
  }

  /// In the salt, the first page, and pages behind it.
  @Test(arguments: [3, 500, 4_200, 40_000])
  func `A file that is damaged is restored from a copy`(offset: Int) throws {
    try fill(configuration(key))
    let backup = folder.url.appendingPathComponent("backup.sqlite")
    try Realm.makeBackup(at: backup, for: configuration(key))
    var bytes = try Data(contentsOf: folder.file)
    bytes[offset] ^= 0xFF
    try bytes.write(to: folder.file)
    try Realm.restoreBackup(at: backup, for: configuration(key))
    try expectEqual(texts(configuration(key)), Self.texts(500))
    try expectEqual(Realm.problems(for: configuration(key)), [])
    try expectFalse(secretIsVisible())
    try fill(configuration(nil, "plain.sqlite"))
    #expect(throws: Realm.Error.self) {
      try Realm.restoreBackup(at: backup, for: configuration(key, "plain.sqlite"))
    }
    try expectEqual(texts(configuration(nil, "plain.sqlite")), Self.texts(500))
  }

  @Test func `A seed has the key of the realm`() throws {
    try fill(configuration(key))
    var seeded = configuration(key, "seeded.sqlite")
    seeded.seedFilePath = folder.file
    try expectEqual(texts(seeded), Self.texts(500))
    try expectFalse(secretIsVisible())
    var other = configuration(otherKey, "other.sqlite")
    other.seedFilePath = folder.file
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: other) }
    expectFalse(FileManager.default.fileExists(atPath: other.fileURL!.path))
  }

  @Test func `Compacting on launch keeps the key`() throws {
    try fill(configuration(key), 2_000)
    do {
      let realm = try Realm(configuration: configuration(key))
      try realm.write { realm.delete(realm.objects(Note.self).where { $0.id >= 500 }) }
    }
    var compacting = configuration(key)
    compacting.shouldCompactOnLaunch = { _, _ in true }
    try expectEqual(texts(compacting), Self.texts(500))
    try expectFalse(secretIsVisible())
  }
}
