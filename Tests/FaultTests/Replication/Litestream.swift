import Foundation
import Testing

/// Litestream, replicating the file of a folder to another folder.
final class Litestream {
  private let process = Process()

  /// The program, from the variable `STRATA_LITESTREAM` of the environment; nil where it isn't set.
  static let program = ProcessInfo.processInfo.environment["STRATA_LITESTREAM"].map {
    URL(fileURLWithPath: $0)
  }

  /// Begins to replicate, and returns when there is a replica to restore from.
  convenience init(_ file: URL, to replica: URL) throws {
    try self.init(file, source: "file://\(replica.path)")
  }

  /// - Parameters:
  ///   - source: The URL of the replica.
  ///   - machine: The machine on which it runs; nil for this one.
  init(_ file: URL, source: String, on machine: Namespace? = nil) throws {
    let known = Self.snapshots(source, on: machine)
    process.execute(
      Self.program, ["replicate", "-log-level", "error", file.path, source], on: machine)
    try process.run()
    try wait("the first snapshot of Litestream") { Self.snapshots(source, on: machine) != known }
  }

  /// The snapshots of the replica; empty if it has none.
  private static func snapshots(_ source: String, on machine: Namespace?) -> String {
    let process = Process()
    process.execute(program, ["ltx", "-json", source], on: machine)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return "" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ["null", "[]"].contains(text.trimmingCharacters(in: .whitespacesAndNewlines)) ? "" : text
  }

  /// Ends Litestream after it has sent the rest of the WAL to the replica.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Kills the process at once, as when a machine fails.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Makes a file of a replica, with which SQLite must find nothing wrong.
  static func restore(_ replica: URL, to file: URL, _ options: [String] = []) throws {
    try restore(source: "file://\(replica.path)", to: file, options)
  }

  static func restore(source: String, to file: URL, _ options: [String] = []) throws {
    let process = Process()
    process.executableURL = program
    process.arguments =
      ["restore", "-o", file.path, "-integrity-check", "full"] + options
      + [source]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Wrong("Litestream can't restore: status \(process.terminationStatus)")
    }
  }
}
