import Foundation
import RealmFileKit
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// The files that the library writes beside an encrypted file, which all have its key.
@Suite(.enabled(if: Realm.canEncrypt)) struct EncryptedMigrationTests {
  private final class Article: Object {
    @Persisted(fullText: true) var text = ""
  }

  private static let secret = "yx-visible-name-yx"
  private let folder: TestFolder
  private let key = Data(repeating: 7, count: 64)

  init() throws {
    folder = try TestFolder()
    // The check of the folder's files has no key.
    folder.isDamaged = true
  }

  private static func isVisible(in file: URL) throws -> Bool {
    do {
      return try Data(contentsOf: file).range(of: Data(secret.utf8)) != nil
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return false
    }
  }

  private func isVisible() throws -> Bool {
    let files = FileManager.default.enumerator(
      at: folder.url, includingPropertiesForKeys: [.isRegularFileKey])
    while let file = files?.nextObject() as? URL {
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      if try Self.isVisible(in: file) { return true }
    }
    return false
  }

  /// The databases with rows that migrations have copied, of whatever test.
  private static func copiedRows() throws -> [URL] {
    let temporary = FileManager.default.temporaryDirectory
    return try FileManager.default.contentsOfDirectory(atPath: temporary.path)
      .filter { $0.hasPrefix("strata-memory-") }
      .map { temporary.appendingPathComponent("\($0)/rows.sqlite") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  @Test func `A plan migrates, and its backup and its temporary rows are encrypted`() throws {
    var configuration = folder.configuration([V1.Person.self, V1.Dog.self], version: 1)
    configuration.encryptionKey = key
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for age in 0..<300 {
          realm.create(
            V1.Person.self, value: ["firstName": "\(age)", "lastName": Self.secret, "age": age])
        }
      }
    }
    let copies = Mutex<(found: Int, visible: Int)>((0, 0))
    let plan: SchemaMigrationPlan = [
      .version(V1.self), .joinNames,
      .version(V3.self) { migration in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["age"] = "\(old!["age"] as! Int)"
        }
        for file in try Self.copiedRows() {
          let isVisible = try Self.isVisible(in: file)
          copies.withLock {
            $0.found += 1
            $0.visible += isVisible ? 1 : 0
          }
        }
      },
      .renameAge,
    ]
    var migrating = Realm.Configuration(fileURL: folder.file, migrationPlan: plan)
    migrating.encryptionKey = key
    migrating.migrationBackup = MigrationBackup()
    let forecast = try Realm.migrationForecast(for: migrating)
    expectEqual(forecast.outcome, .migrate)
    let realm = try Realm(configuration: migrating)
    expectEqual(
      realm.objects(V4.Person.self).where { $0.fullName.ends(with: Self.secret) }.count, 300)
    expectTrue(copies.withLock { $0.found } > 0)
    expectEqual(copies.withLock { $0.visible }, 0)
    try expectFalse(isVisible())
    let backup = try #require(try Realm.backups(for: migrating).first)
    try expectEqual(schemaVersionAtURL(backup.url, encryptionKey: key), 1)
    try expectEqual(
      Realm.migrationHistory(at: folder.file, encryptionKey: key).map(\.version),
      [
        1, 2, 3, 4,
      ])
  }

  @Test func `The words of a full-text index are encrypted`() throws {
    var configuration = folder.configuration([Article.self])
    configuration.encryptionKey = key
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for number in 0..<100 {
        realm.create(Article.self, value: ["text": "word\(number) \(Self.secret)"])
      }
    }
    expectEqual(realm.objects(Article.self).where { $0.text.text("word17") }.count, 1)
    try expectFalse(isVisible())
  }

  @Test func `A file of Realm becomes an encrypted one`() throws {
    let old = RealFile.url("links")
    var configuration = folder.configuration([], version: 100)
    configuration.encryptionKey = key
    let report = try Realm.convert(
      realmFile: old, to: configuration,
      choices: [.nan(.asNilOrZero), .dates(.clamped), .nestedCollections(.asNil)])
    let inspection = try Realm.inspection(at: folder.file, encryptionKey: key)
    expectTrue(inspection.objectCounts.values.reduce(0, +) > 0)
    expectEqual(report.classes.count, inspection.objectCounts.count)
    let header = try Data(contentsOf: folder.file).prefix(15)
    expectTrue(header != Data("SQLite format 3".utf8))
  }
}

@Suite(.enabled(if: !Realm.canEncrypt)) struct EncryptionErrorTests {
  @Test func `Without a library that encrypts, a key says what to link`() throws {
    let folder = try TestFolder()
    var configuration = folder.configuration([])
    configuration.encryptionKey = Data(count: 64)
    expectError(
      """
      Encryption is not supported by the SQLite library of this program: the file would not be encrypted. \
      Run the program with SQLCipher in its place (docs/encryption.md), or remove `encryptionKey` and \
      keep the file on an encrypted disk.
      """, code: .fail
    ) {
      _ = try Realm(configuration: configuration)
    }
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
  }
}
