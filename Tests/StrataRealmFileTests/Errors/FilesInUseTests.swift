import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// Files that other programs use before and while they are read.
@Suite("Files in use")
struct FilesInUseTests {
  @Test func `A file that a program has open with Realm is refused`() throws {
    let file = try TemporaryFile(RealFile.bytes("links"))
    let lock = file.url.path + ".lock"
    let descriptor = open(lock, O_RDWR | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    // Left behind, it means nothing.
    try expectEqual(RealmFile(file.url).classes.count, 5)
    try #require(flock(descriptor, LOCK_SH) == 0)
    let error = expectError { _ = try RealmFile(file.url) }
    expectEqual(error?.code, .inUse)
    expectEqual(
      error?.description,
      "'\(file.url.path)': A program has the file open with Realm. Close it there, or read a copy "
        + "that Realm makes with 'writeCopy'.")
    flock(descriptor, LOCK_UN)
    try expectEqual(RealmFile(file.url).classes.count, 5)
  }

  @Test func `A file that is written to while it is read ends in an error`() throws {
    let original = try RealFile.bytes("links")
    let file = try TemporaryFile(original)
    let realm = try RealmFile(file.url)
    let rows = try realm.rows("Dog")
    try expectTrue(rows.next())
    // A commit writes the top ref of the other slot, and its number.
    try file.write([original[23] ^ 1], at: 23)
    let error = expectError { while try rows.next() {} }
    expectEqual(error?.code, .changed)
    expectEqual(
      error?.description,
      "'\(file.url.path)': The file was written to while it was read (class 'Dog'). Close the "
        + "program that uses it, or read a copy that Realm makes with 'writeCopy'.")
  }

  @Test func `Reading changes no byte`() throws {
    let bytes = try RealFile.bytes("all-types")
    let file = try TemporaryFile(bytes)
    _ = try WholeReading.run(RealmFile(file.url))
    try expectEqual([UInt8](Data(contentsOf: file.url)), bytes)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.url.deletingLastPathComponent().path)
    expectEqual(names, ["test.realm"])
  }

  #if os(Linux)
    @Test func `The locks of a database of SQLite are kept`() throws {
      let file = try TemporaryFile(
        Array("SQLite format 3\0".utf8) + Array(repeating: 0, count: 4080))
      let own = open(file.url.path, O_RDWR)
      let other = open(file.url.path, O_RDWR)
      try #require(own >= 0 && other >= 0)
      defer {
        close(own)
        close(other)
      }
      var lock = flock(
        l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
      try #require(fcntl(own, F_SETLK, &lock) == 0)
      for _ in 0..<3 {
        let error = expectError { _ = try RealmFile(file.url) }
        expectEqual(error?.code, .notRealmFile)
        expectEqual(
          error?.description,
          "'\(file.url.path)': The file is a database of SQLite, and no '.realm' file. Open it "
            + "with Strata's 'Realm', or another program for SQLite.")
      }
      // Locks of open file descriptions conflict with locks of processes, even of the same one.
      let getLockOfFile: Int32 = 36
      lock.l_type = Int16(F_WRLCK)
      try #require(fcntl(other, getLockOfFile, &lock) == 0)
      expectEqual(lock.l_type, Int16(F_WRLCK), "the lock is gone")
    }
  #endif
}
