import Foundation

/// A folder for files of the studio that nobody else may read, such as uploads.
struct PrivateFolder: Sendable {
  let path: String

  /// - Throws: An error of Foundation when the folder for temporary files can't have another one.
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  /// Removes it with all that is in it; uploads are gone when their requests are answered.
  func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
