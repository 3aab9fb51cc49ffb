import Foundation
import TestKit
import Testing

/// `strata follow` as a process, into a folder beside the file of a test.
final class StrataFollow {
  private let process = Process()
  private let errors = Pipe()
  private let text = Lines()

  init(_ source: String, _ folder: Folder, _ options: [String] = []) throws {
    process.executableURL = Self.program
    process.arguments =
      ["follow", source, Self.replica(folder).path, "--interval", "0.2"]
      + ["--litestream", Litestream.program?.path ?? ""] + options
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let (text, source) = (text, errors.fileHandleForReading)
    Thread { while text.add(source.availableData) {} }.start()
  }

  /// The program `strata`, from the variable `STRATA_PROGRAM` of the environment.
  private static let program = ProcessInfo.processInfo.environment["STRATA_PROGRAM"].map {
    URL(fileURLWithPath: $0)
  }

  /// Runs another command to its end. Returns the status, and everything that it said.
  static func run(_ arguments: [String]) throws -> (status: Int32, said: String) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, said)
  }

  static func replica(_ folder: Folder) -> URL {
    folder.url.appendingPathComponent("orders.replica")
  }

  /// The error output of the process so far.
  var said: String { text.all }

  var isRunning: Bool { process.isRunning }

  func kill(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// Waits until it has ended, and returns its status.
  func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

/// The output of a process, collected on another thread.
final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  // guarded by: the lock.
  private var bytes = Data()

  /// - Returns: Whether there may be more.
  func add(_ more: Data) -> Bool {
    lock.withLock { bytes.append(more) }
    return !more.isEmpty
  }

  func add(_ line: String) { _ = add(Data((line + "\n").utf8)) }

  var all: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }

  var lines: [String] { all.split(separator: "\n").map(String.init) }
}

extension Worker {
  /// Collects what it says from now on.
  func listen() -> Lines {
    let lines = Lines()
    let worker = self
    Thread { while let line = worker.line() { lines.add(line) } }.start()
    return lines
  }
}

/// Waits until something has happened in another process.
///
/// - Parameter said: The output of processes, for a failure.
func wait(
  _ what: String, _ seconds: Double = 60, said: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation, until isDone: () throws -> Bool
) throws {
  guard try !blockUntil(within: .seconds(seconds), isDone) else { return }
  Issue.record("This didn't come: \(what). \(said())", sourceLocation: sourceLocation)
  throw Wrong("no \(what)")
}
