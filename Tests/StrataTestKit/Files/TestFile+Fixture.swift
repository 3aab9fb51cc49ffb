package import Foundation

extension TestFile {
  /// A copy of one of the example's files, which older versions of the library wrote.
  package convenience init(fixture name: String) throws {
    try self.init()
    try FileManager.default.copyItem(
      at: Self.package.appendingPathComponent("Fixtures/\(name).sqlite"), to: url)
  }

  private static let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  package var bytes: Data { get throws { try Data(contentsOf: url) } }

  /// The names of the files beside it, and its own.
  package var folderContents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }
}
