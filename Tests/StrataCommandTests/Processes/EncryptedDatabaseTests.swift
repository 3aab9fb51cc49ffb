import Foundation
import Strata
import Testing

@testable import StrataCommand

/// Encrypted files of Strata. They run where the SQLite library of the tests can encrypt.
@Suite(.enabled(if: Realm.canEncrypt)) struct EncryptedDatabaseTests {
  private let folder: CommandFolder
  private let key = Data((0..<64).map { UInt8($0) })

  init() throws {
    folder = try CommandFolder()
    try key.write(to: folder.url("key.bin"))
    try Data(count: 64).write(to: folder.url("other.bin"))
    try folder.copyFixture("PetOwners-v5", to: "plain.sqlite")
    let plain = folder.url("plain.sqlite")
    let configuration = Realm.Configuration(fileURL: plain, schemaVersion: 5, objectTypes: [])
    try autoreleasepool {
      try Realm(configuration: configuration)
        .writeCopy(toFile: folder.url("people.sqlite"), encryptionKey: key)
    }
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  @Test func `Each command opens it with the key`() throws {
    let info = try run("info", "people.sqlite", "--key-file", "key.bin")
    #expect(info.status == 0, "\(info.errors)")
    #expect(info.output.contains("encrypted       yes"))
    #expect(info.output.contains("Strata, a database of SQLite"))
    for arguments in [["schema"], ["history"], ["check"], ["diff", "plain.sqlite"]] {
      let outcome = try Tool.run(
        arguments + ["people.sqlite", "--key-file", "key.bin"], in: folder)
      #expect(outcome.status == 0, "\(arguments) \(outcome)")
    }
  }

  @Test func `A copy and what is restored of it have the key`() throws {
    let copied = try run("backup", "people.sqlite", "copy.sqlite", "--key-file", "key.bin")
    #expect(copied.status == 0, "\(copied.errors)")
    let restored = try run("restore", "copy.sqlite", "new.sqlite", "--key-file", "key.bin")
    #expect(restored.status == 0, "\(restored.errors)")
    for name in ["copy.sqlite", "new.sqlite"] {
      let inspection = try Realm.inspection(at: folder.url(name), encryptionKey: key)
      #expect(inspection.objectCounts["Pet"] == 4)
      #expect(try !Data(contentsOf: folder.url(name)).starts(with: Data("SQLite".utf8)))
    }
  }

  @Test func `A conversion writes an encrypted file, or says that it doesn't`() throws {
    try folder.copyRealmFile("links", to: "links.realm")
    let encrypted = try run(
      "convert", "links.realm", "encrypted.sqlite", "--new-key-file", "key.bin")
    #expect(encrypted.status == 0, "\(encrypted.errors)")
    #expect(!encrypted.output.contains("not encrypted"))
    let inspection = try Realm.inspection(at: folder.url("encrypted.sqlite"), encryptionKey: key)
    #expect(inspection.schemaVersion != nil)
    #expect(!inspection.objectCounts.isEmpty)
  }

  @Test func `Another key, and none, are errors`() throws {
    let other = try run("check", "people.sqlite", "--key-file", "other.bin")
    #expect(other.status == CommandStatus.data.rawValue)
    #expect(
      other.errors.hasSuffix(
        "strata: 'people.sqlite': This key doesn't open the file, or it is not a file of Strata. Give the "
          + "file with the 64 bytes with which the program opens it ('--key-file').\n"))
    let none = try run("check", "people.sqlite")
    #expect(none.status == CommandStatus.data.rawValue)
    #expect(none.errors.hasSuffix("If it is encrypted, give its key with '--key-file'.\n"))
    let plain = try run("check", "plain.sqlite", "--key-file", "key.bin")
    #expect(plain.errors.contains("This database of SQLite isn't encrypted"))
  }
}
