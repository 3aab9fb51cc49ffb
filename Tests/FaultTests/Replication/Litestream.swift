import Foundation

/// Litestream, replicating the file of a folder to another folder.
final class Litestream {
  private let process = Process()
  private let file: URL
  private let replica: URL

  /// The program, from the variable `STRATA_LITESTREAM` of the environment; nil where it isn't set.
  static let program = ProcessInfo.processInfo.environment["STRATA_LITESTREAM"].map {
    URL(fileURLWithPath: $0)
  }

  /// Begins to replicate, and returns when there is a replica to restore from.
  init(_ file: URL, to replica: URL) throws {
    self.file = file
    self.replica = replica
    process.executableURL = Self.program
    process.arguments = ["replicate", "-log-level", "error", file.path, "file://\(replica.path)"]
    try process.run()
    let known = try Self.snapshots(replica)
    let limit = ContinuousClock.now + .seconds(30)
    while try Self.snapshots(replica) == known {
      guard ContinuousClock.now < limit else { throw Wrong("Litestream doesn't begin") }
      usleep(20_000)
    }
  }

  /// The names of what the replica has so far.
  private static func snapshots(_ replica: URL) throws -> Set<String> {
    let folder = replica.appendingPathComponent("ltx/0")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  /// Lets it take what is in the WAL to the replica, and ends it.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Ends it at once, as a machine that fails does.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Makes a file of a replica, with which SQLite must find nothing wrong.
  static func restore(_ replica: URL, to file: URL, _ options: [String] = []) throws {
    let process = Process()
    process.executableURL = program
    process.arguments =
      ["restore", "-o", file.path, "-integrity-check", "full"] + options
      + ["file://\(replica.path)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Wrong("Litestream can't restore: status \(process.terminationStatus)")
    }
  }
}
