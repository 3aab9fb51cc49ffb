package import Foundation

/// The path of a file without links, as its bytes: texts are equal in Swift when they have the same
/// letters, and most file systems tell `é` from `e` with an accent after it.
package struct PathKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ path: String) { bytes = Array(path.utf8) }
}

extension StoreFile {
  /// The same for each way of writing the path of a file, also before the file is there: an opening
  /// makes it, and must go on to be the opening of that file.
  package static func key(forPath path: String) -> PathKey {
    PathKey(canonical(path) ?? URL(fileURLWithPath: path).standardizedFileURL.path)
  }

  package static func key(for url: URL) -> PathKey { key(forPath: url.path) }

  /// The file itself, which need not be there, for a link to it.
  ///
  /// SQLite has the WAL and everything else beside the file, and not beside the link. A path that
  /// isn't from the root on, as a URL may have it, begins in the current folder of this moment.
  package static func behindLinks(_ url: URL) -> URL {
    let path = url.path
    guard !path.isEmpty else { return url }
    if PathName.isLink(path), let file = canonical(path) {
      return URL(fileURLWithPath: file, isDirectory: false)
    }
    return PathName.isWhole(path) ? url : URL(fileURLWithPath: path, isDirectory: false)
  }

  /// As many links in a row as Linux follows; a missing folder counts as one.
  private static let mostSteps = 40

  /// The path without links, `.` and `..`; nil for one that no file can have.
  private static func canonical(_ path: String, steps: Int = mostSteps) -> String? {
    // Not `URL.resolvingSymlinksInPath`, which resolves no link on the way to what isn't there, and
    // takes 80,000 instructions.
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let name = PathName.name(of: path)
    guard !["", ".", ".."].contains(name), steps > 0,
      let folder = canonical(PathName.folder(of: path), steps: steps - 1)
    else { return nil }
    let file = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    guard let target = PathName.target(ofLink: file) else { return file }
    return canonical(PathName.isWhole(target) ? target : "\(folder)/\(target)", steps: steps - 1)
  }
}
