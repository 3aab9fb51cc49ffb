import Foundation

/// Reads the version of a file that is not open.
enum VersionReader {
  static func version(of url: URL) throws(RealmError) -> UInt64 {
    let missing = RealmError(.invalidDatabase, ErrorText.notInitialized(url.path), fileURL: url)
    let content: StoreFile.Content
    do {
      content = try StoreFile.inspect(url, forWriting: false)
    } catch where error.code == .fileNotFound {
      throw missing
    }
    guard content == .database else { throw missing }
    let readers = Readers(url)
    defer { readers.close() }
    let version = try translatingErrors(at: url) {
      try readers.read { db in try FileState.read(db, at: url).version }
    }
    guard let version else { throw missing }
    return version
  }
}
