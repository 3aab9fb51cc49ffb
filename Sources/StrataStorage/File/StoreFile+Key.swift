package import Foundation
import Synchronization

extension StoreFile {
  /// The same for each way of writing the path of a file.
  package static func key(for url: URL) -> String {
    let path = url.path
    let file = FileNumber(path)
    if let file, let known = knownKeys.withLock({ $0[path] }), known.file == file {
      return known.key
    }
    let key = url.standardizedFileURL.resolvingSymlinksInPath().path
    if let file {
      knownKeys.withLock { known in
        if known.count >= mostKnown { known = [:] }
        known[path] = KnownKey(key: key, file: file)
      }
    }
    return key
  }

  private static let mostKnown = 1_000
  /// Resolving a path takes ten times as long as a look at the file that it leads to. As long as
  /// that is the same file, no link on the way leads elsewhere.
  private static let knownKeys = Mutex<[String: KnownKey]>([:])

  private struct KnownKey {
    let key: String
    let file: FileNumber
  }
}
