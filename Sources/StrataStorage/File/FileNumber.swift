import Foundation

/// The number by which a file system knows a file, whatever its name is.
///
/// As long as something has the file open, no other file gets its number.
struct FileNumber: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// That of the file that a path leads to; nil when there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
