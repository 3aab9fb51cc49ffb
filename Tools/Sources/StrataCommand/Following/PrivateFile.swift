import Foundation
import GRDB
import StrataStorage

/// The file that Litestream restores and changes in place, and the position that it is at.
struct PrivateFile {
  let url: URL
  private let positionFile: URL

  /// The reason why the file is of no use any more.
  struct Damage: Error {
    var reason: String
  }

  init(folder: URL) {
    url = folder.appendingPathComponent("private.sqlite")
    positionFile = folder.appendingPathComponent("private.sqlite-txid")
  }

  /// The position, as Litestream writes it after its changes; nil before the file is restored.
  var position: UInt64? {
    do {
      guard let bytes = try PlainFile.contents(of: positionFile, atMost: 64) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      return UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16)
    } catch {
      return nil
    }
  }

  /// Deletes it, so that it is restored anew.
  func delete() {
    for suffix in ["", "-txid", "-wal", "-shm", "-journal", ".tmp", "-txid.tmp"] {
      unlink(url.path + suffix)
    }
  }

  /// Copies the file while Litestream doesn't change it.
  ///
  /// - Returns: Its position, which is written a moment after the changes; nil when Litestream
  ///   didn't let go of it.
  func copy(to target: URL, patience: Duration) throws -> UInt64? {
    try PlainFile.copyLocked(url, to: target, patience: patience) { position } ?? nil
  }

  /// - Throws: ``Damage`` for a copy that can't be read, and `RealmError` for another library's.
  static func check(_ copy: URL, thoroughly: Bool) throws {
    do {
      try Connections.openPublication(copy, nil).unsafeRead { db in
        guard try FileState.read(db, at: copy).version != nil else {
          throw RealmError(
            .invalidDatabase,
            "The source has another file than one of Strata: it has no table 'strata_schema_version'. Nothing is "
              + "published.")
        }
        guard thoroughly else { return }
        let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
        guard problems == ["ok"] else {
          throw Damage(reason: "the restored file is damaged (\(problems.joined(separator: "; ")))")
        }
      }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      throw Damage(
        reason: "the restored file is damaged (\(error.message ?? "\(error.resultCode)"))")
    } catch let error as DatabaseError {
      throw RealmError(error, at: copy)
    }
  }
}
