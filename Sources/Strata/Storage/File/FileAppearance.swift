import Foundation

/// The folder's entries of a file and its log. As long as they are the same, both are unchanged.
struct FileAppearance: Equatable {
  private struct Part: Equatable {
    var device: dev_t
    var number: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
      size = status.st_size
      #if canImport(Darwin)
        seconds = status.st_mtimespec.tv_sec
        nanoseconds = status.st_mtimespec.tv_nsec
      #else
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
      #endif
    }
  }

  private let parts: [Part?]

  init(of url: URL) {
    parts = StoreFile.companions(of: url).map { Part($0.path) }
  }
}
