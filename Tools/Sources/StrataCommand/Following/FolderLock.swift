import Foundation
import StrataStorage
import StrataStudio

/// The right to write to the folder of a replica, held until the object is released.
final class FolderLock {
  private let folder: ReplicaFolder
  private let lock: FileLock
  /// Whether the lock created the folder.
  private let isNew: Bool

  /// - Throws: ``CommandFailure`` with status 75 while another program holds the lock, and with
  ///   status 73 if the path isn't a folder.
  init(_ folder: ReplicaFolder, shown path: String) throws {
    isNew = !FileManager.default.fileExists(atPath: folder.path)
    guard isNew || InputFile.isFolder(folder.path) else {
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

  /// Deletes the lock, and the folder if this object created it and it is still empty.
  func removeFolder() { folder.removeLock(withFolder: isNew) }
}
