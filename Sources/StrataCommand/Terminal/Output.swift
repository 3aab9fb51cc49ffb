import Foundation

/// What the process writes to: results to the standard output, all else to the error output.
enum Output {
  /// - Throws: An error of the system, for example because the disk is full.
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Where even this fails, nothing is left to say so to.
  static func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
