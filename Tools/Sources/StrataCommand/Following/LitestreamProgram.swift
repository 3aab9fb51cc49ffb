import Dispatch
import Foundation
import StrataStudio
import Synchronization

/// The program Litestream, which restores and follows. It inherits the environment of this process
/// and finds its credentials there.
struct LitestreamProgram {
  let path: String

  /// - Parameter path: The path that the user gave; nil to search the folders of `PATH`.
  /// - Throws: ``CommandFailure`` if there is no such program.
  init(_ path: String?) throws(CommandFailure) {
    if let path {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw CommandFailure(
          .unavailable, path: path, "This is no program",
          repair: "Give the path of Litestream with '--litestream'.")
      }
      self.path = path
      return
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/litestream" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let found else {
      throw CommandFailure(
        .unavailable,
        "Litestream is needed, and no folder of PATH has it. Install it (0.5.17 was tried), or give its path with "
          + "'--litestream'.")
    }
    self.path = found
  }

  /// Starts a process.
  func start(
    _ arguments: [String], input: FileHandle, output: Pipe, errors: Pipe
  ) throws(CommandFailure) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    do {
      try Interruption.withUnblockedSignals { try process.run() }
    } catch {
      throw CommandFailure(
        .inputOutput, path: path, "The program can't be started (\(error.localizedDescription))",
        repair: "Check its permissions, and that it is made for this computer.")
    }
    return process
  }
}

/// The last line that a program prints. All lines are passed on to the error output.
final class PassedErrors: Sendable {
  private let last = Mutex("")
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter source: The pipe to read, on a thread of its own.
  init(_ source: FileHandle) {
    let thread = Thread { [self] in
      while true {
        let bytes = source.availableData
        guard !bytes.isEmpty else { break }
        let text = String(decoding: bytes, as: UTF8.self)
        Output.writeError(text)
        if let line = text.split(whereSeparator: \.isNewline).last {
          last.withLock { $0 = String(line.prefix(Self.maxLength)) }
        }
      }
      isOver.signal()
    }
    thread.start()
  }

  private static let maxLength = 500

  var lastLine: String { last.withLock { $0 } }

  /// Waits, for up to a second, until everything that the program printed is read.
  func finish() { _ = isOver.wait(timeout: .now() + 1) }
}
