import Foundation
import StrataStorage
import StrataStudio

/// The right to write to the folder of a replica.
enum FolderLock {
  /// - Throws: ``CommandFailure`` with status 75 while another program has it, and 73 for what is
  ///   no folder.
  static func take(_ folder: ReplicaFolder, shown path: String) throws -> FileLock {
    // A link to a folder is as good as one.
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      throw CommandFailure(
        .cannotCreate, path: path, "This is no folder",
        repair: "Give the path of the replica's folder, or one where nothing is.")
    }
    guard let lock = try folder.lock() else {
      throw CommandFailure(
        .temporary, "Another program follows into '\(PlainText.of(path))'.")
    }
    return lock
  }
}
