import Foundation

/// A folder for files of the studio that nobody else may read, such as uploads.
struct PrivateFolder: Sendable {
  let path: String

  /// - Throws: ``ServerFailure`` when the folder for temporary files can't have another one.
  init() throws(ServerFailure) {
    let parent = FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent("strata-studio-\(UUID().uuidString)").path
    guard mkdir(path, 0o700) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ServerFailure(
        reason: .noFolder,
        message:
          "'\(PlainText.of(parent.path))': No folder for uploads can be made there (\(reason)). Set TMPDIR "
          + "to a folder that can be written.")
    }
  }

  /// Removes it with all that is in it; uploads are gone when their requests are answered.
  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
