package import Foundation

/// The folder's entries of a file and its WAL. As long as they are the same, both are unchanged.
package struct FileAppearance: Equatable {
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
        let changed = status.st_mtimespec
      #else
        let changed = status.st_mtim
      #endif
      seconds = Int(changed.tv_sec)
      nanoseconds = Int(changed.tv_nsec)
    }
  }

  private let parts: [Part?]

  package init(of url: URL) {
    parts = StoreFile.companions(of: url).map { Part($0.path) }
  }
}
