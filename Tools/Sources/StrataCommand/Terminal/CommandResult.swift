import Foundation
import StrataStudio

/// The result of a command: its output and its exit status.
struct CommandResult: Hashable {
  /// The lines of the standard output, without line breaks.
  var lines: [String]
  var status: CommandStatus = .success

  init(_ lines: [String], _ status: CommandStatus = .success) {
    self.lines = lines
    self.status = status
  }

  init(_ value: JSONValue, _ status: CommandStatus = .success) {
    self.init([value.indented], status)
  }

  /// Writes the lines.
  ///
  /// - Throws: ``CommandFailure`` if writing fails, for example because the disk is full.
  func write() throws(CommandFailure) { try Self.write(lines.map { $0 + "\n" }.joined()) }

  /// Writes a part of the result before the rest is known.
  static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(POSIXError) {
      try Output.write(bytes)
    } catch {
      if error.code == .EINTR { throw CommandFailure(CancellationError()) }
      let reason = String(cString: strerror(error.code.rawValue))
      throw CommandFailure(
        error.code == .EPIPE ? .readerGone : .inputOutput,
        "The output can't be written (\(reason)). Check the file or the program that receives it.")
    }
  }
}
