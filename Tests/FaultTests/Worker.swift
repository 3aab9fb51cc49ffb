import Foundation
import TestKit

/// A process that does a job while something goes wrong. One thread at a time talks to it.
final class Worker: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// How a process ended, and what it said.
  struct Ending {
    var isKilled: Bool
    var status: Int32
    var output: String
    var errors: String

    /// The number behind `done after`; nil when the job was not done.
    var events: Int? {
      output.firstMatch(of: /done after (\d+) events/).flatMap { Int($0.1) }
    }
  }

  /// The folder must be there for as long as the process.
  private let folder: Folder

  /// - Parameter machine: The machine on which it runs; nil for this one.
  init(
    _ verb: String, _ job: String, _ folder: Folder, _ options: [String] = [],
    on machine: Namespace? = nil
  ) throws {
    self.folder = folder
    process.execute(Self.executable, [verb, job, folder.file.path] + options, on: machine)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  static let executable = BuiltProgram.url("FaultWorker")

  /// Reads the next line of the process; nil after its end.
  func line() -> String? {
    var bytes: [UInt8] = []
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  var isRunning: Bool { process.isRunning }

  /// Lets it go on.
  func proceed() { input.fileHandleForWriting.write(Data("\n".utf8)) }

  /// Gives it a line to read.
  func say(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits until it has ended.
  func ending() -> Ending {
    input.fileHandleForWriting.closeFile()
    let output = output.fileHandleForReading.readDataToEndOfFile()
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Ending(
      isKilled: process.terminationReason == .uncaughtSignal
        && process.terminationStatus == SIGKILL,
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// Does a job to its end, whatever that is.
  static func run(_ job: String, _ folder: Folder, _ options: [String] = []) throws -> Ending {
    try Worker("run", job, folder, options).ending()
  }
}
