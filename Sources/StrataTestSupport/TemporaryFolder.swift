import Foundation

/// A folder for the files of one test, removed with the last reference.
final class TemporaryFolder {
  let url: URL

  var file: URL { url.appendingPathComponent("test.sqlite") }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      // The test removed it, or it stays with the other temporary files of the system.
    }
  }
}
