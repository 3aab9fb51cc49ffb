package import Foundation
package import GRDB
import GRDBSQLite
import StrataSchema

/// The key of an encrypted file, for an SQLite library that supports encryption.
///
/// SQLCipher uses 32 bytes as they are, and derives an authentication key from them. These 32 bytes
/// are the SHA-256 of the 64 bytes that a program would give to Realm.
package struct FileKey: Sendable, Equatable {
  /// The 64 bytes as the program gave them.
  package let bytes: Data
  /// The key in hexadecimal digits. The digits must never be in a log or an error.
  private let digits: String

  /// The length of a program's key.
  package static let length = 64

  package init(_ key: Data) {
    bytes = key
    digits = hexDigits(of: SHA256.hash(key))
  }

  /// SQLCipher's notation of a raw key, which isn't derived from a passphrase.
  package var literal: String { "x'\(digits)'" }

  /// Sets the key of a new connection, before anything is read.
  ///
  /// Doesn't use GRDB, whose errors contain statements.
  package func unlock(_ db: Database) throws(RealmError) {
    let code = sqlite3_exec(db.sqliteConnection, "PRAGMA key = \"\(literal)\"", nil, nil, nil)
    guard code == SQLITE_OK else {
      throw RealmError(.fail, "SQLite rejected the key of the file with error \(code).")
    }
  }

  /// The version of the encryption in this process's SQLite library; nil if it has none.
  package static let libraryVersion: String? = {
    do {
      return try DatabaseQueue().read { try String.fetchOne($0, sql: "PRAGMA cipher_version") }
    } catch {
      return nil
    }
  }()
}

/// A key appears in no log.
extension FileKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension FileKey {
  /// Returns the error of a file that can't be read with a key. SQLite reports it only as "not a
  /// database".
  package static func problem(of url: URL, readsWithoutKey: Bool) -> RealmError {
    let start = "Failed to open Realm file at path '\(url.path)':"
    guard readsWithoutKey else {
      return RealmError(
        .invalidDatabase,
        "\(start) it can't be decrypted. Either `encryptionKey` is not the key that it was written "
          + "with, or it is not a database of SQLCipher, or its first page is damaged.",
        fileURL: url)
    }
    return RealmError(
      .invalidDatabase,
      "\(start) it is not encrypted. Open it without `encryptionKey`, or encrypt it first: "
        + "'realm.writeCopy(toFile:encryptionKey:)' makes an encrypted copy.", fileURL: url)
  }
}
