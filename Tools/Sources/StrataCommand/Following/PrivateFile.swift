import Foundation
import GRDB
import StrataStorage

/// The file that Litestream restores and changes in place, and its position.
struct PrivateFile {
  let url: URL
  private let positionFile: URL

  /// The reason why the file is unusable.
  struct Damage: Error {
    var reason: String
  }

  init(folder: URL) {
    url = folder.appendingPathComponent("private.sqlite")
    positionFile = folder.appendingPathComponent("private.sqlite-txid")
  }

  /// The position, which Litestream writes after its changes; nil before the restore is complete.
  var position: UInt64? {
    do {
      guard let bytes = try PlainFile.contents(of: positionFile, atMost: 64) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      return UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16)
    } catch {
      return nil
    }
  }

  /// Deletes the file, so that Litestream restores it again.
  func delete() {
    for suffix in ["", "-txid", "-wal", "-shm", "-journal", ".tmp", "-txid.tmp"] {
      unlink(url.path + suffix)
    }
  }

  /// Copies the file while Litestream doesn't change it.
  ///
  /// - Returns: The position of the file, which Litestream writes a moment after its changes; nil
  ///   if Litestream didn't release its locks in time.
  func copy(to target: URL, patience: Duration) throws -> UInt64? {
    try PlainFile.copyLocked(url, to: target, patience: patience) { position } ?? nil
  }

  /// - Throws: ``Damage`` if the copy can't be read, and `RealmError` if it is another library's
  ///   file.
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
        let problems = try PageCheck.problems("quick_check(3)", db)
        guard problems.isEmpty else {
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
