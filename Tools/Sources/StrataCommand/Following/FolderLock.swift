import Foundation
import StrataStorage
import StrataStudio

/// The right to write to the folder of a replica, until the last reference to it goes.
final class FolderLock {
  private let folder: ReplicaFolder
  private let lock: FileLock
  /// Whether there was no folder before.
  private let isNew: Bool

  /// - Throws: ``CommandFailure`` with status 75 while another program has it, and 73 for what is
  ///   no folder.
  init(_ folder: ReplicaFolder, shown path: String) throws {
    // A link to a folder is as good as one.
    var isFolder: ObjCBool = false
    isNew = !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    guard isNew || isFolder.boolValue else {
      throw CommandFailure(
        .cannotCreate, path: path, "This is no folder",
        repair: "Give the path of the replica's folder, or one where nothing is.")
    }
    guard let lock = try folder.lock() else {
      throw CommandFailure(
        .temporary, "Another program follows into '\(PlainText.of(path))'.")
    }
    self.folder = folder
    self.lock = lock
  }

  /// Removes what it has made, where nothing else came into it.
  func removeFolder() { folder.removeLock(withFolder: isNew) }
}
