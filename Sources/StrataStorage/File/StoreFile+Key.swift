package import Foundation

extension StoreFile {
  /// The same for each way of writing the path of a file, also before the file is there: an opening
  /// makes it, and must go on to be the opening of that file.
  package static func key(forPath path: String) -> String {
    canonical(path) ?? URL(fileURLWithPath: path).standardizedFileURL.path
  }

  package static func key(for url: URL) -> String { key(forPath: url.path) }

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
    return canonical(target.hasPrefix("/") ? target : "\(folder)/\(target)", steps: steps - 1)
  }
}
