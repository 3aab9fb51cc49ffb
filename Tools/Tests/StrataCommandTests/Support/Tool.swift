import Foundation
import TestKit

/// The built program, as a user runs it.
struct Tool {
  /// How a run ended, and what it said.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  static let executable = BuiltProgram.url("strata", unless: "STRATA_PROGRAM")

  /// Runs the program in a folder, and waits until the process ends.
  ///
  /// - Parameter asOther: Whether the process runs as a user without administrator rights.
  static func run(
    _ arguments: [String], in folder: CommandFolder, asOther: Bool = false
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if asOther, geteuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        ["--reuid=65534", "--regid=65534", "--clear-groups", executable.path] + arguments
    }
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_STATE_HOME": folder.url("state").path
    ]) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    // The error output is short, so the process never blocks until a reader comes.
    let errors = Pipe()
    process.standardError = errors
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
