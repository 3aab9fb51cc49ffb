import StrataStorage
import StrataStudio

/// The right to write to the folder of a replica.
enum FolderLock {
  /// - Throws: ``CommandFailure`` with status 75 while another program has it.
  static func take(_ folder: ReplicaFolder, shown path: String) throws -> FileLock {
    guard let lock = try folder.lock() else {
      throw CommandFailure(
        .temporary, "Another program follows into '\(PlainText.of(path))'.")
    }
    return lock
  }
}
