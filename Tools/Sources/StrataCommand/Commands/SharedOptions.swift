import ArgumentParser
import StrataStudio

/// A command that prints a result or a failure, and ends with an exit status.
protocol PrintingCommand: ParsableCommand {
  /// Whether only errors are printed.
  var quiet: Bool { get }
  /// The paths of the files that the user named.
  var paths: [String] { get }
}

extension PrintingCommand {
  var quiet: Bool { false }

  fileprivate func finish(_ result: CommandResult) throws {
    if !quiet { try result.write() }
    guard result.status == .success else { throw ExitCode(result.status.rawValue) }
  }

  /// Prints a failure and returns its exit status.
  fileprivate func exit(for error: any Error) -> ExitCode {
    if let code = error as? ExitCode { return code }
    let failure = CommandFailure(error).naming(paths)
    if failure.status == .readerGone { Output.endWithReader() }
    Output.writeError("strata: \(failure.message)\n")
    return ExitCode(failure.status.rawValue)
  }
}

/// A command that does its work without printing, and returns the result to print.
protocol FileCommand: PrintingCommand {
  /// Does the work.
  ///
  /// - Throws: Any error; the caller converts it to a ``CommandFailure``.
  func perform() throws -> CommandResult
}

extension FileCommand {
  func run() throws {
    do {
      try finish(perform())
    } catch {
      throw exit(for: error)
    }
  }
}

/// A ``FileCommand`` that Control-C can cancel.
protocol AsyncFileCommand: AsyncParsableCommand, PrintingCommand {
  func perform() async throws -> CommandResult
}

extension AsyncFileCommand {
  func run() async throws {
    do {
      try finish(await perform())
    } catch {
      throw exit(for: error)
    }
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
