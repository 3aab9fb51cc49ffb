import Foundation
import GRDB

/// The machine on which the measurements were made.
struct Machine: Encodable {
  let cpu: String
  let cores: Int
  let system: String
  let swift: String
  let sqlite: String
  /// The compile-time options of SQLite. Some, such as `SECURE_DELETE`, affect the cost of a
  /// migration.
  let sqliteOptions: [String]

  static func current() throws -> Machine {
    let process = ProcessInfo.processInfo
    let (version, options) = try DatabaseQueue().read { db in
      (
        try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "",
        try String.fetchAll(db, sql: "PRAGMA compile_options")
      )
    }
    return Machine(
      cpu: try cpu(), cores: process.activeProcessorCount,
      system: process.operatingSystemVersionString, swift: try swift(), sqlite: version,
      sqliteOptions: options)
  }

  private static func cpu() throws -> String {
    #if canImport(Darwin)
      return try Command.output("/usr/sbin/sysctl", ["-n", "machdep.cpu.brand_string"])
        .trimmingCharacters(in: .whitespacesAndNewlines)
    #else
      let lines = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(
        separator: "\n")
      let line = lines.first { $0.hasPrefix("model name") } ?? "unknown"
      return line.split(separator: ":").last.map {
        $0.trimmingCharacters(in: .whitespaces)
      } ?? ""
    #endif
  }

  /// The version of the compiler in `PATH`, which most likely built this program.
  private static func swift() throws -> String {
    let output = try Command.output("/usr/bin/env", ["swift", "--version"])
    return output.split(separator: "\n").first.map(String.init) ?? "Swift of an unknown version"
  }
}

/// A child process.
enum Command {
  /// Runs a program and returns its output.
  static func output(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}

/// The peak memory of this process.
enum PeakMemory {
  static func megabytes() throws -> Double {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      // `getrusage` would count the memory of the parent process, too.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      guard let kilobytes = number.flatMap({ Double($0) }) else {
        throw Unexpected("the system doesn't report the memory of a process")
      }
      return kilobytes / 1_024
    #endif
  }
}
