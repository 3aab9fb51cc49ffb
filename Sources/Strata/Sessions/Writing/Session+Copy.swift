import Foundation
import GRDB
import StrataStorage

extension Session {
  /// Writes the session's state, with the changes of its transaction, to a new file.
  ///
  /// - Throws: ``RealmError`` with code `fileExists`, `fileNotFound` for a missing folder,
  ///   `filePermissionDenied` or `fileAccess`, and `CancellationError`; then no copy exists.
  func writeCopy(to url: URL, _ key: FileKey?, _ cancellation: Cancellation?) throws {
    func failure(
      _ code: RealmError.Code, _ reason: String, _ error: (any Error)? = nil
    ) -> RealmError {
      RealmError(
        code,
        "The realm at path '\(store.file.path)' can't be copied to '\(url.path)': \(reason)",
        fileURL: url, underlyingError: error)
    }
    guard url.isFileURL else { throw failure(.fail, "It is not the URL of a file.") }
    let exists = failure(
      .fileExists, "A file exists already. Delete it first, or choose another name.")
    guard try StoreFile.inspect(url, forWriting: true) == .nothing else { throw exists }
    let permissions = FilePermissions(of: store.readers.publication?.url ?? store.file.url)?
      .writable
    let isPlaced: Bool
    do {
      isPlaced = try CopyDestination.fill(url) { temporary in
        let keys = DatabaseCopy.Keys(source: store.file.key, copy: key)
        try query {
          try DatabaseCopy.make(
            of: $0, at: temporary, like: permissions, keys, .compact, cancellation)
        }
      }
    } catch  where cancellation?.isCancelled == true {
      throw CancellationError()
    } catch {
      let error = RealmError(error, copying: store.file.url, to: url)
      throw failure(error.code, error.message, error)
    }
    guard isPlaced else { throw exists }
  }
}
