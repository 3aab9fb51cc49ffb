import Foundation
import TestKit
import Testing

/// The built program, as a user runs it.
struct Tool {
  /// How a run ended, and what it said.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String

    /// The output as an object of JSON.
    func json() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
  }

  static let executable = BuiltProgram.url("strata", unless: "STRATA_PROGRAM")

  /// A process of the program in a folder, which isn't started yet. Nothing is its input.
  static func process(
    _ arguments: [String], of program: URL = executable, in folder: CommandFolder,
    environment: [String: String] = [:], output: Any = FileHandle.nullDevice,
    errors: Any = FileHandle.nullDevice
  ) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    return process
  }

  /// Runs the program in a folder, and waits until the process ends.
  ///
  /// - Parameter asOther: Whether the process runs as a user without administrator rights.
  static func run(
    _ arguments: [String], in folder: CommandFolder, asOther: Bool = false
  ) throws -> Outcome {
    // The error output is short, so the process never blocks until a reader comes.
    let (output, errors) = (Pipe(), Pipe())
    let process = process(
      arguments, in: folder, environment: ["XDG_STATE_HOME": folder.url("state").path],
      output: output, errors: errors)
    if asOther, geteuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        ["--reuid=65534", "--regid=65534", "--clear-groups", executable.path] + arguments
    }
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let errorText = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }

  /// The most memory that a process has had so far, in kilobytes; 0 once it has ended.
  static func peakMemory(of process: Process) -> Int {
    do {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    } catch {
      // It has ended.
      return 0
    }
  }
}
