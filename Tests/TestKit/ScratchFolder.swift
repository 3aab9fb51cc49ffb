package import Foundation
import Testing

/// A folder for the files of one test, removed when the test is over.
package final class ScratchFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }
}
