import Foundation
import GRDB
import Strata
import TestKit
import Testing

@testable import StrataCommand

/// Files that others use or own: the status says whether to retry, and the text says what to do.
@Suite struct BusyFilesTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String..., asOther: Bool = false) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder, asOther: asOther)
  }

  /// A program that may keep a transaction open.
  private func openedQueue(isAlone: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    if isAlone {
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }
    return try DatabaseQueue(
      path: folder.url("people.sqlite").path, configuration: configuration)
  }

  @Test func `A file that another program writes is restored later`() throws {
    try folder.copyFixture("PetOwners-v5", to: "copy.sqlite")
    let queue = try openedQueue()
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let outcome = try run("restore", "copy.sqlite", "people.sqlite", "--replace")
    expectEqual(outcome.status, CommandStatus.temporary.rawValue)
    expectEqual(
      outcome.errors,
      "strata: The file 'people.sqlite' can't be restored from 'copy.sqlite': database is locked. The file is "
        + "as it was. Another program has it in use: try again later.\n")
    try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }

  @Test func `A file that another program has locked is read later`() throws {
    let queue = try openedQueue(isAlone: true)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "BEGIN EXCLUSIVE; DELETE FROM Pet")
    }
    for command in ["check", "backup"] {
      let outcome = try run(command, "people.sqlite")
      expectEqual(outcome.status, CommandStatus.temporary.rawValue, "\(outcome)")
      expectTrue(outcome.errors.contains("try again when it is done"), "\(outcome)")
    }
    // It reads what was committed, which is in the file itself, and asks for no lock.
    let info = try run("info", "people.sqlite")
    expectEqual(info.status, 0)
    expectTrue(info.output.contains("Pet      object             2        4\n"))
    try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }

  @Test func `What may not be written is a matter of permissions`() throws {
    try folder.copyFixture("PetOwners-v5", to: "copy.sqlite")
    chmod(folder.url("people.sqlite").path, 0o444)
    chmod(folder.url.path, 0o777)
    let replaced = try run("restore", "copy.sqlite", "people.sqlite", "--replace", asOther: true)
    expectEqual(replaced.status, CommandStatus.noPermission.rawValue, "\(replaced)")
    expectTrue(replaced.errors.hasSuffix("The file is as it was.\n"), "\(replaced)")
    expectFalse(replaced.errors.contains("another copy"))
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    let new = try run("restore", "copy.sqlite", "new.sqlite", asOther: true)
    expectEqual(new.status, CommandStatus.noPermission.rawValue, "\(new)")
    expectTrue(new.errors.hasSuffix("There is no file.\n"), "\(new)")
    let exported = try run("export", "people.sqlite", "-o", "out", asOther: true)
    expectEqual(exported.status, CommandStatus.cannotCreate.rawValue, "\(exported)")
    expectEqual(
      exported.errors,
      "strata: 'out': The folder can't be made (Permission denied). Check the path, and the permissions of the "
        + "folder that it is in.\n")
    let copied = try run("backup", "people.sqlite", asOther: true)
    expectEqual(copied.status, CommandStatus.noPermission.rawValue, "\(copied)")
    expectEqual(
      copied.errors,
      "strata: The folder '\(folder.url.path)/people-backups' can't be made: Permission denied.\n"
    )
  }

  @Test(.enabled(if: !Realm.canEncrypt))
  func `An SQLite library that can't decrypt is named, and not the key`() throws {
    try Data((0..<64).map { UInt8($0) }).write(to: folder.url("key.bin"))
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
      .write(to: folder.url("secret.sqlite"))
    let info = try run("info", "secret.sqlite", "--key-file", "key.bin")
    expectEqual(info.status, CommandStatus.data.rawValue)
    expectEqual(
      info.errors,
      "strata: 'secret.sqlite': The key fits no page of an encrypted file of Realm. If it is one of Strata, the "
        + "SQLite library of 'strata' can't open it. For a file of Strata, start 'strata' with SQLCipher as its SQLite "
        + "library: see docs/encryption.md. For one of Realm, give the file with the 64 bytes with which Realm opens "
        + "it ('--key-file').\n")
    try folder.copyRealmFile("links", to: "links.realm")
    let converted = try run("convert", "links.realm", "new.sqlite", "--new-key-file", "key.bin")
    expectEqual(converted.status, CommandStatus.data.rawValue)
    expectEqual(
      converted.errors,
      "strata: 'new.sqlite': The SQLite library of 'strata' can't encrypt files. Start 'strata' with SQLCipher as "
        + "its SQLite library (see docs/encryption.md), or leave out '--new-key-file'.\n")
  }

  @Test func `A problem of many rows is counted as many`() throws {
    try folder.execute(
      """
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO Pet (name, kind) SELECT CAST(x'FF' AS TEXT), 'cat' FROM
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT i FROM n)
      """, in: "people.sqlite")
    let outcome = try run("check", "people.sqlite")
    expectEqual(outcome.status, 1)
    expectTrue(outcome.output.contains("     250  value\n"), "\(outcome.output.suffix(200))")
    try expectEqual(run("check", "people.sqlite", "--quiet").output, "")
    let value = try run("check", "people.sqlite", "--json").json()
    let problems = try #require(value["problems"] as? [[String: Any]])
    expectEqual(problems.count, 101)
    expectEqual(problems.compactMap { $0["rows"] as? Int }.reduce(0, +), 250)
  }
}
