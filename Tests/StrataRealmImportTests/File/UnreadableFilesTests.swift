import Foundation
import RealmFileKit
import StrataRealmFile
import StrataRealmFileEncryption
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Files that can't be converted, for the reasons for which they can't be read.
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

  private static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: RealFile.url(name))
  }

  /// Expects the error of reading, with nothing written and the old file as it was.
  ///
  /// - Parameter repair: Says what to do where that isn't what a reader of the file has to do.
  private func expect(
    _ code: Realm.Error.Code, _ problem: RealmFileError.Code, repair: String? = nil,
    at offset: Int? = nil, key: (any RealmFileCipher)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.names()
    let bytes = FileManager.default.contents(atPath: old.path)
    let error = thrownError {
      try Realm.convert(realmFile: old, encryptionKey: key, toFile: folder.file)
    }
    expectEqual(error?.code, code, sourceLocation: sourceLocation)
    let cause = try #require(
      error?.underlyingError as? RealmFileError, sourceLocation: sourceLocation)
    expectEqual(cause.code, problem, sourceLocation: sourceLocation)
    expectEqual(
      error?.message, "The file of Realm can't be converted: \(cause)",
      sourceLocation: sourceLocation)
    expectTrue(
      cause.description.hasPrefix("'\(old.path)': \(cause.problem)"),
      sourceLocation: sourceLocation)
    if let repair { expectEqual(cause.repair, repair, sourceLocation: sourceLocation) }
    if let offset { expectEqual(cause.place.offset, offset, sourceLocation: sourceLocation) }
    try expectEqual(folder.names(), before, sourceLocation: sourceLocation)
    expectEqual(
      FileManager.default.contents(atPath: old.path), bytes, sourceLocation: sourceLocation)
  }

  @Test func `A file that is not there`() throws { try expect(.fileNotFound, .cannotOpen) }

  @Test func `A file without bytes, of something else, or without its end`() throws {
    try put(Data())
    try expect(.invalidDatabase, .empty)
    try put(Data("A letter, and by no means a database of Realm.".utf8))
    try expect(.invalidDatabase, .notRealmFile)
    try put(Self.bytes("many").prefix(100_000))
    try expect(.invalidDatabase, .truncated)
  }

  @Test func `A database of SQLite`() throws {
    try folder.execute("CREATE TABLE a (b)")
    try FileManager.default.moveItem(at: folder.file, to: old)
    try expect(
      .invalidDatabase, .notRealmFile,
      repair: "Open it with Strata's 'Realm', or another program for SQLite.")
  }

  @Test(arguments: [(9, .olderFormat), (25, .newerFormat)] as [(UInt8, RealmFileError.Code)])
  func `A file of an older and of a newer format`(
    format: UInt8, problem: RealmFileError.Code
  ) throws {
    var bytes = try Self.bytes("links")
    bytes[20] = format
    bytes[21] = format
    try put(bytes)
    try expect(.invalidDatabase, problem)
  }

  @Test func `An encrypted file without its key`() throws {
    try put(Self.bytes("encrypted"))
    try expect(
      .invalidDatabase, .encrypted,
      repair:
        "Give its key: 'encryptionKey: RealmFileKey(key)' of 'StrataRealmFileEncryption', which "
        + "needs the trait 'EncryptedRealmFiles' of the package.")
  }

  #if EncryptedRealmFiles
    @Test func `An encrypted file with another key, and a plain file with one`() throws {
      try put(Self.bytes("encrypted"))
      try expect(.invalidDatabase, .wrongKey, key: RealmFileKey(Data(1...64)))
      try put(Self.bytes("links"))
      try expect(
        .invalidDatabase, .notEncrypted, repair: "Convert it without a key.",
        key: RealmFileKey(Data(0..<64)))
    }

    @Test func `An encrypted file with a damaged page`() throws {
      var bytes = try Self.bytes("encrypted")
      for page in 2..<min(12, bytes.count / 4096) { bytes[page * 4096 + 100] ^= 0xFF }
      try put(bytes)
      try expect(.invalidDatabase, .damagedPage, at: 36_864, key: RealmFileKey(Data(0..<64)))
    }
  #endif

  @Test func `A damaged file`() throws {
    var bytes = try Self.bytes("links")
    // The arrays that hold the objects.
    for index in 200..<bytes.count where bytes[index] == 0x41 { bytes[index] = 0 }
    try put(bytes)
    try expect(.invalidDatabase, .damaged, at: 4_368)
  }

  @Test func `A file that a program has open with Realm`() throws {
    try put(Self.bytes("links"))
    let lock = URL(fileURLWithPath: old.path + ".lock")
    try Data().write(to: lock)
    let descriptor = open(lock.path, O_RDWR)
    defer { close(descriptor) }
    expectEqual(flock(descriptor, LOCK_SH), 0)
    try expect(.fileAccess, .inUse)
    let link = folder.url.appendingPathComponent("link.realm")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: old)
    let error = thrownError { try Realm.convert(realmFile: link, toFile: folder.file) }
    expectEqual(error?.code, .fileAccess)
  }

  @Test func `A file that is written to meanwhile`() throws {
    try put(Self.bytes("links"))
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
    expectEqual((error?.underlyingError as? RealmFileError)?.code, .changed)
    try expectEqual(folder.names(), ["old.realm"])
  }
}
