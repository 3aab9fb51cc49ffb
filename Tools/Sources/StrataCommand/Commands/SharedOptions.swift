import ArgumentParser
import StrataStudio

/// A command that does its work without printing, and returns the result to print.
protocol FileCommand: AsyncParsableCommand {
  /// Whether only errors are printed.
  var quiet: Bool { get }
  /// The paths of the files that the user named.
  var paths: [String] { get }
  /// Does the work.
  ///
  /// - Throws: Any error; the caller converts it to a ``CommandFailure``.
  func perform() async throws -> CommandResult
}

extension FileCommand {
  var quiet: Bool { false }

  func run() async throws {
    let status: CommandStatus
    do {
      let result = try await perform()
      if !quiet { try result.write() }
      status = result.status
    } catch {
      let failure = CommandFailure(error).naming(paths)
      if failure.status == .readerGone { Output.endWithReader() }
      Output.writeError("strata: \(failure.message)\n")
      status = failure.status
    }
    guard status == .success else { throw ExitCode(status.rawValue) }
  }
}

struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, for programs.")
  var json = false

  /// The result of a command: JSON with `--json`, and lines without it.
  func result(
    _ value: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String],
    _ status: CommandStatus = .success
  ) -> CommandResult {
    json ? CommandResult(value(), status) : CommandResult(lines(), status)
  }
}

struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the key of an encrypted file: its 64 bytes, or their 128 hexadecimal digits.",
      valueName: "file"),
    completion: .file())
  var keyFile: String?
}

extension ArgumentHelp {
  static let file: ArgumentHelp = "A file of Strata."
  static let anyFile: ArgumentHelp =
    "A file of Strata or Realm. The contents decide which, not the name."
}
