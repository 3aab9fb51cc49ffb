import Foundation

/// The parts of a path as text: a URL takes some thousand instructions to tell each.
enum PathName {
  /// The path of the folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name in its folder.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The path that a link has; nil where there is no link.
  static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, Int(PATH_MAX))
      guard count >= 0 else { return nil }
      start[count] = 0
      return String(cString: start)
    }
  }
}
