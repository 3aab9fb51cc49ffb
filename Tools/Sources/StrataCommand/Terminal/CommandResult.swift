import Foundation
import StrataStudio

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
    self.init([value.indented], status)
  }

  /// - Throws: ``CommandFailure`` if the output can't be written, for example because the disk is
  ///   full.
  func write() throws(CommandFailure) { try Self.write(lines.map { $0 + "\n" }.joined()) }

  /// Writes a part of the result before the rest is known.
  ///
  /// - Throws: As ``write()``.
  static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  /// - Throws: As ``write()``.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(POSIXError) {
      try Output.write(bytes)
    } catch {
      if error.code == .EINTR { throw CommandFailure(CancellationError()) }
      let reason = String(cString: strerror(error.code.rawValue))
      throw CommandFailure(
        error.code == .EPIPE ? .readerGone : .inputOutput,
        "The output can't be written (\(reason)). Check where it goes.")
    }
  }
}
