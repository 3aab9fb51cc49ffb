import Foundation
import Strata
import TestKit
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
    expectEqual(info.status, 0, "\(info.errors)")
    expectTrue(info.output.contains("encrypted       yes"))
    expectTrue(info.output.contains("Strata, a database of SQLite"))
    for arguments in [["schema"], ["history"], ["check"], ["diff", "plain.sqlite"]] {
      let outcome = try Tool.run(
        arguments + ["people.sqlite", "--key-file", "key.bin"], in: folder)
      expectEqual(outcome.status, 0, "\(arguments) \(outcome)")
    }
  }

  @Test func `A copy and what is restored of it have the key`() throws {
    let copied = try run("backup", "people.sqlite", "copy.sqlite", "--key-file", "key.bin")
    expectEqual(copied.status, 0, "\(copied.errors)")
    let restored = try run("restore", "copy.sqlite", "new.sqlite", "--key-file", "key.bin")
    expectEqual(restored.status, 0, "\(restored.errors)")
    for name in ["copy.sqlite", "new.sqlite"] {
      let inspection = try Realm.inspection(at: folder.url(name), encryptionKey: key)
      expectEqual(inspection.objectCounts["Pet"], 4)
      try expectFalse(Data(contentsOf: folder.url(name)).starts(with: Data("SQLite".utf8)))
    }
  }

  @Test func `A conversion writes an encrypted file, or says that it doesn't`() throws {
    try folder.copyRealmFile("links", to: "links.realm")
    let encrypted = try run(
      "convert", "links.realm", "encrypted.sqlite", "--new-key-file", "key.bin")
    expectEqual(encrypted.status, 0, "\(encrypted.errors)")
    expectFalse(encrypted.output.contains("not encrypted"))
    let inspection = try Realm.inspection(at: folder.url("encrypted.sqlite"), encryptionKey: key)
    expectTrue(inspection.schemaVersion != nil)
    expectFalse(inspection.objectCounts.isEmpty)
  }

  @Test func `A file gets another key, none, and one again`() throws {
    let before = try Data(contentsOf: folder.url("people.sqlite"))
    let other = try run(
      "rekey", "people.sqlite", "other.sqlite", "--key-file", "key.bin", "--new-key-file",
      "other.bin")
    expectEqual(other.status, 0, "\(other.errors)")
    expectTrue(
      other.output.hasPrefix("Copied people.sqlite to other.sqlite with another key: version 5, "))
    try expectEqual(Data(contentsOf: folder.url("people.sqlite")), before)
    let plain = try run(
      "rekey", "other.sqlite", "none.sqlite", "--key-file", "other.bin", "--decrypt")
    expectTrue(plain.output.contains(" without a key: "), "\(plain.errors)")
    let again = try run("rekey", "none.sqlite", "again.sqlite", "--new-key-file", "key.bin")
    expectTrue(again.output.contains(" with a key: "), "\(again.errors)")
    for (name, key) in [
      ("other.sqlite", ["--key-file", "other.bin"]), ("none.sqlite", []),
      ("again.sqlite", ["--key-file", "key.bin"]),
    ] {
      let check = try Tool.run(["check", name] + key, in: folder)
      expectEqual(check.status, 0, "\(name) \(check)")
      let export = try Tool.run(
        ["export", name, "--class", "Person", "--format", "json"] + key, in: folder)
      let expected = try run("export", "plain.sqlite", "--class", "Person", "--format", "json")
      expectEqual(export.output, expected.output)
    }
    try expectEqual(run("check", "other.sqlite", "--key-file", "key.bin").status, 65)
    try expectEqual(
      folder.names,
      [
        "again.sqlite", "key.bin", "none.sqlite", "other.bin", "other.sqlite", "people.sqlite",
        "plain.sqlite",
      ])
  }

  @Test func `A twin isn't encrypted, or has a key of its own`() throws {
    let key = ["--key-file", "key.bin", "--seed", "7"]
    let plain = try Tool.run(["twin", "people.sqlite", "twin.sqlite"] + key, in: folder)
    expectEqual(plain.status, 0, "\(plain.errors)")
    expectTrue(plain.output.contains("\nThe twin is not encrypted.\n"))
    let other = try Tool.run(
      ["twin", "people.sqlite", "secret.sqlite", "--new-key-file", "other.bin"] + key, in: folder)
    expectEqual(other.status, 0, "\(other.errors)")
    expectFalse(other.output.contains("not encrypted"))
    try expectEqual(run("check", "twin.sqlite").status, 0)
    try expectEqual(run("check", "secret.sqlite", "--key-file", "other.bin").status, 0)
    let exports = try [["twin.sqlite"], ["secret.sqlite", "--key-file", "other.bin"]].map {
      try Tool.run(["export", "--class", "Person", "--format", "json"] + $0, in: folder).output
    }
    expectEqual(exports[0], exports[1])
    expectFalse(exports[0].contains("Ines"))
    try expectTrue(Data(contentsOf: folder.url("twin.sqlite")).starts(with: Data("SQLite".utf8)))
    let wrong = try run("twin", "people.sqlite", "new.sqlite", "--key-file", "other.bin")
    expectEqual(wrong.status, CommandStatus.data.rawValue)
    try expectFalse(folder.names.contains("new.sqlite"))
  }

  @Test func `A key that can't be, and a file that is there, are errors of 'rekey'`() throws {
    let before = try folder.contents()
    for (arguments, status) in [
      (
        ["people.sqlite", "new.sqlite", "--key-file", "other.bin", "--new-key-file", "key.bin"], 65
      ),
      (["people.sqlite", "new.sqlite", "--key-file", "key.bin", "--new-key-file", "key.bin"], 64),
      (["people.sqlite", "plain.sqlite", "--key-file", "key.bin", "--decrypt"], 73),
      (["plain.sqlite", "new.sqlite", "--new-key-file", "plain.sqlite"], 65),
    ] {
      let result = try Tool.run(["rekey"] + arguments, in: folder)
      expectEqual(result.status, Int32(status), "\(result)")
    }
    try expectEqual(folder.contents(), before)
  }

  @Test func `Another key, and none, are errors`() throws {
    let other = try run("check", "people.sqlite", "--key-file", "other.bin")
    expectEqual(other.status, CommandStatus.data.rawValue)
    expectTrue(
      other.errors.hasSuffix(
        "strata: 'people.sqlite': This key doesn't open the file, or it is not a file of Strata. Give the "
          + "file with the 64 bytes with which the program opens it ('--key-file').\n"))
    let none = try run("check", "people.sqlite")
    expectEqual(none.status, CommandStatus.data.rawValue)
    expectTrue(none.errors.hasSuffix("If it is encrypted, give its key with '--key-file'.\n"))
    let plain = try run("check", "plain.sqlite", "--key-file", "key.bin")
    expectTrue(plain.errors.contains("This database of SQLite isn't encrypted"))
  }
}
