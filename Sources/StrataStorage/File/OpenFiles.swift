import Foundation

/// The limit of the files that the process may have open. SQLite says of it only that it can't
/// open a file.
enum OpenFiles {
  /// The need of two connections, each with a file, its WAL, the WAL's index and a folder to sync:
  /// some of that may be closed again when the error is explained.
  private static let needed = 8

  /// Why no further file can be opened, and what to do; nil when some can.
  static var shortage: String? {
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    while copies.count < needed {
      let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return errno == EMFILE ? tooMany : nil }
      copies.append(copy)
    }
    return nil
  }

  private static var tooMany: String {
    let limit = ProcessLimit.openFiles.value.map { "\($0)" } ?? "unknown"
    return " The process has about as many files open as it may (\(limit)): close realms that "
      + "aren't needed, or raise the limit ('ulimit -n')."
  }
}
