import Foundation
import GRDB
import StrataStorage

/// A reader of the versions of a file. Never creates or changes one.
enum VersionReader {
  static func version(of url: URL, _ key: FileKey?) throws(RealmError) -> UInt64 {
    try read(url, key) { _, version in version }
  }

  static func history(of url: URL, _ key: FileKey?) throws(RealmError) -> [SchemaVersion] {
    try read(url, key) { db, _ in try VersionTable.history(db, at: url) }
  }

  /// - Throws: ``RealmError`` with code `invalidDatabase` for a file without a version.
  private static func read<Result>(
    _ url: URL, _ key: FileKey?, _ body: (Database, _ version: UInt64) throws -> Result
  ) throws(RealmError) -> Result {
    let missing = RealmError(.invalidDatabase, ErrorText.notInitialized(url.path), fileURL: url)
    let content: StoreFile.Content
    do {
      content = try StoreFile.inspect(url, forWriting: false)
    } catch  where error.code == .fileNotFound {
      throw missing
    }
    guard content == .database else { throw missing }
    let readers = Readers(url, key, for: .look)
    defer { readers.close() }
    return try translatingErrors(at: url) {
      try readers.read { db in
        guard let version = try FileState.read(db, at: url).version else { throw missing }
        return try body(db, version)
      }
    }
  }
}
