import Foundation
import RealmFileKit
import StrataRealmFile
import StrataRealmFileEncryption
import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite("Files of Realm that can't be converted")
struct UnreadableFilesTests {
  private let folder: TestFolder
  private var old: URL { folder.url.appendingPathComponent("old.realm") }

  init() throws {
    folder = try TestFolder()
    folder.isDamaged = true
  }

  /// Puts bytes where the old file is.
  private func put(_ bytes: Data) throws { try bytes.write(to: old) }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: RealFile.url(name))
  }

  /// Expects an error, with nothing written and the old file as it was.
  private func expect(
    _ code: Realm.Error.Code, _ message: String, key: (any RealmFileCipher)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.names()
    let bytes = FileManager.default.contents(atPath: old.path)
    let error = thrownError {
      try Realm.convert(realmFile: old, encryptionKey: key, toFile: folder.file)
    }
    expectEqual(error?.code, code, sourceLocation: sourceLocation)
    let start = "The file of Realm can't be converted: '\(old.path)': "
    expectEqual(error?.message, start + message, sourceLocation: sourceLocation)
    expectTrue(error?.underlyingError is RealmFileError, sourceLocation: sourceLocation)
    try expectEqual(folder.names(), before, sourceLocation: sourceLocation)
    expectEqual(
      FileManager.default.contents(atPath: old.path), bytes, sourceLocation: sourceLocation)
  }

  @Test func `A file that is not there`() throws {
    try expect(
      .fileNotFound,
      "The file can't be opened: No such file or directory. Give the path of a file that this program "
        + "may read.")
  }

  @Test func `A file without bytes`() throws {
    try put(Data())
    try expect(
      .invalidDatabase,
      "The file has no bytes. Copy the file again. If it was empty before, Realm has never written to it."
    )
  }

  @Test func `A file of something else`() throws {
    try put(Data("A letter, and by no means a database of Realm.".utf8))
    try expect(
      .invalidDatabase,
      "The file is no '.realm' file. Give the path of a file that Realm wrote, which usually ends with "
        + "'.realm'.")
  }

  @Test func `A database of SQLite`() throws {
    try folder.execute("CREATE TABLE a (b)")
    try FileManager.default.moveItem(at: folder.file, to: old)
    try expect(
      .invalidDatabase,
      "The file is a database of SQLite, and no '.realm' file. Open it with Strata's 'Realm', or another "
        + "program for SQLite.")
  }

  @Test func `A file without its end`() throws {
    try put(bytes("many").prefix(100_000))
    try expect(
      .invalidDatabase,
      "The end of the file is missing: its newest version begins at byte 113424 of 100000. Copy the file "
        + "again, while no program has it open.")
  }

  @Test func `A file of an older and of a newer format`() throws {
    let formats: [(UInt8, String)] = [
      (
        9,
        "The file has format 9, and formats from 10 on can be read. Open a copy once with a program that "
          + "uses RealmSwift 5.0 to 10.48, which changes it to a newer format, and read that copy."
      ),
      (
        25,
        "The file has format 25, which this version doesn't know. Update this library, or export the "
          + "file with the program that wrote it."
      ),
    ]
    for (format, message) in formats {
      var bytes = try bytes("links")
      bytes[20] = format
      bytes[21] = format
      try put(bytes)
      try expect(.invalidDatabase, message)
    }
  }

  @Test func `An encrypted file without its key`() throws {
    try put(bytes("encrypted"))
    try expect(
      .invalidDatabase,
      "The file is encrypted, or no '.realm' file. Give its key: 'encryptionKey: RealmFileKey(key)' of "
        + "'StrataRealmFileEncryption', which needs the trait 'EncryptedRealmFiles' of the package."
    )
  }

  #if EncryptedRealmFiles
    @Test func `An encrypted file with another key, and a plain file with one`() throws {
      try put(bytes("encrypted"))
      try expect(
        .invalidDatabase,
        "The key fits no page of the encrypted file. Give the 64 bytes with which Realm opens the file. "
          + "If they are right, the file is damaged: read a backup.",
        key: RealmFileKey(Data(1...64)))
      try put(bytes("links"))
      try expect(
        .invalidDatabase, "The file isn't encrypted. Convert it without a key.",
        key: RealmFileKey(Data(0..<64)))
    }

    @Test func `An encrypted file with a damaged page`() throws {
      var bytes = try bytes("encrypted")
      for page in 2..<min(12, bytes.count / 4096) { bytes[page * 4096 + 100] ^= 0xFF }
      try put(bytes)
      try expect(
        .invalidDatabase,
        "A page of the encrypted file has other bytes than Realm wrote (byte 36864). Read a backup of "
          + "the file, or a copy that Realm makes with 'writeCopy'.",
        key: RealmFileKey(Data(0..<64)))
    }
  #endif

  @Test func `A damaged file`() throws {
    var bytes = try bytes("links")
    // The arrays that hold the objects.
    for index in 200..<bytes.count where bytes[index] == 0x41 { bytes[index] = 0 }
    try put(bytes)
    try expect(
      .invalidDatabase,
      "The file is damaged: there is no array at byte 4368 (byte 4368). Read a backup of the file, or a "
        + "copy that Realm makes with 'writeCopy'.")
  }

  @Test func `A file that a program has open with Realm`() throws {
    try put(bytes("links"))
    let lock = URL(fileURLWithPath: old.path + ".lock")
    try Data().write(to: lock)
    let descriptor = open(lock.path, O_RDWR)
    defer { close(descriptor) }
    expectEqual(flock(descriptor, LOCK_SH), 0)
    try expect(
      .fileAccess,
      "A program has the file open with Realm. Close it there, or read a copy that Realm makes with "
        + "'writeCopy'.")
    let link = folder.url.appendingPathComponent("link.realm")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: old)
    let error = thrownError { try Realm.convert(realmFile: link, toFile: folder.file) }
    expectEqual(error?.code, .fileAccess)
  }

  @Test func `A file that is written to meanwhile`() throws {
    try put(bytes("links"))
    let error = thrownError {
      try Realm.convert(realmFile: old, toFile: folder.file) { [old] progress in
        guard progress.completedObjects == 0 else { return }
        // As each commit does, this changes the header.
        #expect(throws: Never.self) {
          let handle = try FileHandle(forUpdating: old)
          defer { handle.closeFile() }
          handle.seek(toFileOffset: 8)
          handle.write(Data([1]))
        }
      }
    }
    expectEqual(error?.code, .fileAccess)
    expectEqual(
      error?.message,
      "The file of Realm can't be converted: '\(old.path)': The file was written to while it was read "
        + "(class 'Address'). Close the program that uses it, or read a copy that Realm makes with "
        + "'writeCopy'.")
    try expectEqual(folder.names(), ["old.realm"])
  }
}
