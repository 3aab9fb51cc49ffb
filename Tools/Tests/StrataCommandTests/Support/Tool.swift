import Foundation

/// The built program, as a user runs it.
struct Tool {
  /// How a run ended, and what it said.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Built beside the tests, unless `STRATA_PROGRAM` has the path of another one.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["STRATA_PROGRAM"] {
      return URL(fileURLWithPath: path)
    }
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let tests = bundle?.bundleURL ?? Bundle.main.bundleURL
    #else
      let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("strata")
  }()

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
