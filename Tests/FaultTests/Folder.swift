import Foundation

/// A folder that is removed when nobody needs it any more.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-faults-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      fatalError("The folder of a test can't be removed: \(error)")
    }
  }

  var file: URL { url.appendingPathComponent("test.sqlite") }

  /// Copies all files of another folder.
  func take(from folder: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      try FileManager.default.copyItem(
        at: file, to: url.appendingPathComponent(file.lastPathComponent))
    }
  }
}
