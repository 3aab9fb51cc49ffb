package import Foundation
package import GRDB
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
    let queue = try DatabaseQueue.otherProgram(at: file, foreignKeys: false)
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

extension DatabaseQueue {
  /// Opens a file as another program does, and waits for locks: a realm that was just closed may
  /// still remove its WAL, on another thread.
  package static func otherProgram(
    at file: URL, foreignKeys: Bool = true
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = foreignKeys
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}
