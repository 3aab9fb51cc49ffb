import Foundation

/// A folder for files of the studio that only the user may read, such as uploads.
package struct PrivateFolder: Sendable {
  package let path: String

  /// - Throws: ``ServerFailure`` if the folder can't be created in the folder for temporary files.
  package init() throws(ServerFailure) {
    let parent = FileManager.default.temporaryDirectory
    Self.removeStaleFolders(in: parent.path, Self.prefix)
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

  /// Deletes folders of processes that were killed.
  ///
  /// - Parameter prefix: The start of their names, before the number of the process.
  package static func removeStaleFolders(in parent: String, _ prefix: String) {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: parent)
      where name.hasPrefix(prefix) {
        let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
        guard let process = Int32(number), kill(process, 0) != 0, errno == ESRCH else { continue }
        removeIfAllowed("\(parent)/\(name)")
      }
    } catch {
      // The parent folder may not exist.
    }
  }

  /// Deletes a folder, unless another user owns it.
  package static func removeIfAllowed(_ path: String) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The next start tries again.
    }
  }

  /// Deletes the folder with its contents. Uploads are deleted before, with their requests.
  package func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
