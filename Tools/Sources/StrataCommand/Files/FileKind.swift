/// The kind of a file, by its first bytes and not by its name.
enum FileKind: Hashable {
  /// No bytes at all.
  case empty
  /// A database of SQLite, of Strata or of another program.
  case database
  /// A database of SQLCipher, as a key has shown.
  case encryptedDatabase
  /// A file of Realm that isn't encrypted.
  case realm
  /// Neither. An encrypted file looks like this.
  case other

  /// As many bytes as ``init(start:)`` looks at.
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
