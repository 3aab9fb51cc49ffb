import Dispatch
import Foundation
import StrataStudio
import Synchronization

/// The program Litestream, which restores and follows. Its environment is that of this process:
/// credentials are its own matter.
struct LitestreamProgram {
  let path: String

  /// - Parameter path: As the user gave it; nil for the one in a folder of `PATH`.
  /// - Throws: ``CommandFailure`` when there is none.
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

  /// Begins a process.
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
      try Interruption.hearingSignals { try process.run() }
    } catch {
      throw CommandFailure(
        .inputOutput, path: path, "The program can't be started (\(error.localizedDescription))",
        repair: "Check its permissions, and that it is made for this computer.")
    }
    return process
  }
}

/// The last line of what a program prints, all of which goes on to the error output.
final class PassedErrors: Sendable {
  private let last = Mutex("")
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter source: The end of the pipe that is read, on a thread of its own.
  init(_ source: FileHandle) {
    let thread = Thread { [self] in
      while true {
        let bytes = source.availableData
        guard !bytes.isEmpty else { break }
        let text = String(decoding: bytes, as: UTF8.self)
        Output.writeError(text)
        if let line = text.split(whereSeparator: \.isNewline).last {
          last.withLock { $0 = String(line.prefix(Self.longest)) }
        }
      }
      isOver.signal()
    }
    thread.start()
  }

  private static let longest = 500

  var lastLine: String { last.withLock { $0 } }

  /// Waits for what the program printed before it ended.
  func finish() { _ = isOver.wait(timeout: .now() + 1) }
}
