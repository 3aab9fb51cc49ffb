import Foundation

/// The result of a command: its output, and how it ends.
struct CommandResult: Hashable {
  /// What is written to the standard output, with a line break behind each line.
  var lines: [String]
  var status: CommandStatus = .success

  init(_ lines: [String], _ status: CommandStatus = .success) {
    self.lines = lines
    self.status = status
  }

  init(_ value: JSONValue, _ status: CommandStatus = .success) {
    self.init([value.description], status)
  }

  /// - Throws: ``CommandFailure`` if the output can't be written, for example because the disk is
  ///   full.
  func write() throws(CommandFailure) {
    do throws(POSIXError) {
      try Output.write(lines.map { $0 + "\n" }.joined())
    } catch {
      let reason = String(cString: strerror(error.code.rawValue))
      throw CommandFailure(
        .inputOutput, "The output can't be written (\(reason)). Check where it goes.")
    }
  }
}
