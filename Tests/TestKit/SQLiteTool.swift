package import Foundation

/// The tool `sqlite3`, another program that works on the files of tests.
package enum SQLiteTool {
  /// Whether this machine has it.
  package static var isThere: Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
  }

  /// Runs a command of a shell that calls the tool, and returns its output.
  @discardableResult
  package static func output(of command: String, in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The tool has its own library.
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_LIBRARY_PATH" }
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 0)
    return String(decoding: data, as: UTF8.self)
  }
}
