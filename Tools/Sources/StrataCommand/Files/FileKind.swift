/// The kind of a file, by its first bytes and not by its name.
enum FileKind: Hashable {
  /// The file has no bytes.
  case empty
  /// A SQLite database, of Strata or of another program.
  case database
  /// An SQLCipher database that the given key opens.
  case encryptedDatabase
  /// An unencrypted file of Realm.
  case realm
  /// Any other file. Encrypted files look like this too.
  case other

  /// The number of bytes that ``init(start:)`` needs.
  static let length = 24

  init(start: [UInt8]) {
    if start.isEmpty {
      self = .empty
    } else if start.starts(with: "SQLite format 3\0".utf8) {
      self = .database
    } else if start.count >= Self.length, start[16..<20].elementsEqual("T-DB".utf8) {
      self = .realm
    } else {
      self = .other
    }
  }
}
