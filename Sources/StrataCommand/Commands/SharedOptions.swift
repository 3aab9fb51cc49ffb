import ArgumentParser

/// A command whose work is apart from what it prints.
protocol FileCommand: ParsableCommand {
  /// Whether nothing is printed but errors.
  var isQuiet: Bool { get }

  /// Does the work.
  ///
  /// - Throws: Any error; it is translated to a ``CommandFailure``.
  func perform() throws -> CommandResult
}

extension FileCommand {
  var isQuiet: Bool { false }

  func run() throws {
    do {
      let result = try perform()
      if !isQuiet { try result.write() }
      guard result.status == .success else { throw ExitCode(result.status.rawValue) }
    } catch let code as ExitCode {
      throw code
    } catch {
      let failure = CommandFailure(error)
      Output.writeError("strata: \(failure.message)\n")
      throw ExitCode(failure.status.rawValue)
    }
  }
}

struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, for programs.")
  var json = false
}

struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the key of an encrypted file of Realm: its 64 bytes, or their 128 hexadecimal digits.",
      valueName: "file"),
    completion: .file())
  var keyFile: String?
}

extension ArgumentHelp {
  static let file: ArgumentHelp = "A file of Strata."
  static let anyFile: ArgumentHelp =
    "A file of Strata or Realm. Its contents tell which, not its name."
}
