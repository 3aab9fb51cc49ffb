package import Foundation
import GRDB
import Testing

/// Looks into files with SQLite itself, as any other program would.
package enum FileCheck {
  /// The problems of the databases in a folder: SQLite's findings, and references to missing rows.
  package static func problems(in folder: URL) throws -> [String] {
    try databases(in: folder).flatMap { file in
      do {
        return try problems(of: file).map { "\(file.lastPathComponent): \($0)" }
      } catch let error as DatabaseError {
        return ["\(file.lastPathComponent): \(error)"]
      }
    }
  }

  package static func problems(of file: URL) throws -> [String] {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // A realm that was observed is closed on another thread, which may take a moment.
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { #expect(throws: Never.self) { try queue.close() } }
    return try queue.inDatabase { db in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      return integrity.filter { $0 != "ok" } + references.map { "\($0)" }
    }
  }

  private static func databases(in folder: URL) throws -> [URL] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    // A realm that was just closed may still remove its WAL, on another thread.
    let logs = ["-wal", "-shm"]
    return try files.filter { file in
      guard !logs.contains(where: { file.path.hasSuffix($0) }),
        try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
        FileManager.default.isReadableFile(atPath: file.path)
      else { return false }
      let handle = try FileHandle(forReadingFrom: file)
      defer { handle.closeFile() }
      return handle.readData(ofLength: 15) == Data("SQLite format 3".utf8)
    }
  }
}
