import Foundation

/// A folder that is removed with the last reference.
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

  /// The bytes of a file; 0 when it isn't there.
  func size(of name: String) throws -> Int {
    let path = url.appendingPathComponent(name).path
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  /// Files that have no use any more.
  func leftovers() throws -> [String] {
    let known = ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm", "seed", "old.realm"]
    return try FileManager.default.contentsOfDirectory(atPath: url.path).filter {
      !known.contains($0)
    }
  }

  /// Writes files.
  convenience init(_ files: [String: Data]) throws {
    try self.init()
    for (name, bytes) in files {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Not 'Data.write', which waits for the disk.
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: bytes)
      try handle.close()
    }
  }

  /// The bytes of the files by their names. Folders inside are left out.
  static func files(in folder: URL) throws -> [String: Data] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey]
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0.lastPathComponent, try Data(contentsOf: $0)) })
  }
}
