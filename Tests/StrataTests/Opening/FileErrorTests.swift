import Foundation
import GRDB
import GRDBSQLite
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Errors of SQLite and of the system about files, as errors of realms.
@Suite struct FileErrorTests {
  class Note: Object {
    @Persisted var text = ""
  }

  @Test func `A copy that finds no room names itself`() {
    let source = URL(fileURLWithPath: "/a/people.sqlite")
    let copy = URL(fileURLWithPath: "/b/copy.sqlite")
    let full = DatabaseError(resultCode: .SQLITE_FULL)
    for error in [full, RealmError(full, at: source)] as [any Error] {
      let made = RealmError(error, copying: source, to: copy)
      expectEqual(made.code, .outOfDiskSpace)
      expectEqual(
        made.message,
        "Realm file at path '/b/copy.sqlite': database or disk is full. The disk is full. "
          + "Free some space and try again. Nothing was changed.")
    }
    let damaged = RealmError(
      DatabaseError(resultCode: .SQLITE_CORRUPT), copying: source, to: copy)
    expectTrue(damaged.message.contains("'/a/people.sqlite'"))
  }

  @Test func `A full disk has a code of its own`() {
    let full = RealmError(DatabaseError(resultCode: .SQLITE_FULL), at: nil)
    expectEqual(full.code, .outOfDiskSpace)
    expectEqual(
      full.message,
      "Realm file: database or disk is full. The disk is full. Free some space and try again. "
        + "Nothing was changed.")
    var isCaught = false
    do { throw full } catch Realm.Error.outOfDiskSpace { isCaught = true } catch {}
    expectTrue(isCaught)
    expectEqual(FileReason.code(ENOSPC), .outOfDiskSpace)
    expectEqual(FileReason.code(EACCES), .filePermissionDenied)
    expectEqual(FileReason.code(EIO), .fileAccess)
  }

  @Test func `A failed copy of pages doesn't say that there is no error`() {
    let error = DatabaseError(resultCode: .SQLITE_FULL, message: "not an error")
    expectEqual(RealmError.text(of: error), "database or disk is full")
    expectEqual(
      RealmError.text(of: DatabaseError(resultCode: .SQLITE_BUSY, message: "table is locked")),
      "table is locked")
  }

  @Test func `A file in use is told from one that can't be read`() {
    let busy = RealmError(DatabaseError(resultCode: .SQLITE_BUSY), at: nil)
    expectTrue(busy.isBusy)
    expectTrue(RealmError(.fileAccess, "…", underlyingError: busy).isBusy)
    expectFalse(RealmError(DatabaseError(resultCode: .SQLITE_IOERR), at: nil).isBusy)
  }

  @Test func `A second name of a file is named`() throws {
    let folder = try TestFolder()
    try folder.open([Note.self]) { realm in
      let other = folder.url.appendingPathComponent("other.sqlite")
      expectEqual(link(folder.file.path, other.path), 0)
      defer { unlink(other.path) }
      try realm.write { realm.add(Note()) }
      expectError(
        ending: "The file has another name as well (a hard link), under which it may be open: "
          + "use one path for one file."
      ) {
        let second = try Realm(
          configuration: Realm.Configuration(fileURL: other, objectTypes: [Note.self]))
        try second.write { second.add(Note()) }
      }
      for suffix in ["-wal", "-shm"] { unlink(other.path + suffix) }
      expectEqual(realm.objects(Note.self).count, 1)
    }
  }
}
