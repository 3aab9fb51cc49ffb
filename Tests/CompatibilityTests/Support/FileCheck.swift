import Foundation

/// Looks into files with SQLite's own command line tool, as any other program would.
enum FileCheck {
  /// The tool; nil where it is not installed, and then nothing is checked.
  private static let tool = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent("sqlite3") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isAvailable: Bool { tool != nil }

  /// What is wrong with the databases of a folder: SQLite's own findings, and rows that refer to
  /// rows that are not there.
  static func problems(in folder: URL) throws -> [String] {
    guard let tool else { return [] }
    return try databases(in: folder).flatMap { file in
      // A realm that was observed is closed on another thread, which may take a moment.
      let output = try run(
        tool,
        [
          "-cmd", ".timeout 5000", file.path, "PRAGMA integrity_check; PRAGMA foreign_key_check;",
        ])
      return output == "ok\n" ? [] : ["\(file.lastPathComponent): \(output)"]
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

  private static func run(_ tool: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = tool
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { name, _ in
      // The tool has its own library.
      name != "LD_LIBRARY_PATH"
    }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
