import Foundation

/// A folder for files of the studio that only the user may read, such as uploads.
package struct PrivateFolder: Sendable {
  package let path: String

  /// - Throws: ``ServerFailure`` if the folder can't be created in the folder for temporary files.
  package init() throws(ServerFailure) {
    let parent = FileManager.default.temporaryDirectory
    Self.removeStaleFolders(in: parent)
    path = parent.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)").path
    guard mkdir(path, 0o700) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ServerFailure(
        reason: .noFolder,
        message:
          "'\(PlainText.of(parent.path))': No private folder can be made there (\(reason)). Set TMPDIR "
          + "to a folder that can be written.")
    }
  }

  private static let prefix = "strata-studio-"

  /// Deletes the folders of processes that were killed.
  private static func removeStaleFolders(in parent: URL) {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: parent.path)
      where name.hasPrefix(prefix) {
        let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
        guard let process = Int32(number), kill(process, 0) != 0, errno == ESRCH else { continue }
        try FileManager.default.removeItem(at: parent.appendingPathComponent(name))
      }
    } catch {
      // Other users' folders can't be deleted, and the parent folder may not exist.
    }
  }

  /// Deletes the folder with its contents. Uploads are deleted before, with their requests.
  package func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
