import Foundation

/// A folder for files of the studio that nobody else may read, such as uploads.
package struct PrivateFolder: Sendable {
  package let path: String

  /// - Throws: ``ServerFailure`` when the folder for temporary files can't have another one.
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

  /// Removes the folders of processes that were killed.
  private static func removeStaleFolders(in parent: URL) {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: parent.path)
      where name.hasPrefix(prefix) {
        let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
        guard let process = Int32(number), kill(process, 0) != 0, errno == ESRCH else { continue }
        try FileManager.default.removeItem(at: parent.appendingPathComponent(name))
      }
    } catch {
      // Those of other users stay, and there may be no such folder.
    }
  }

  /// Removes it with all that is in it; uploads are gone when their requests are answered.
  package func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
