import Foundation

/// A text that is written beside its place, and gets its name when all of it is there.
final class NewTextFile {
  private let path: String
  private let temporary: String
  private let handle: FileHandle
  private var isFinished = false

  /// - Throws: ``CommandFailure`` where no file can be made.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    temporary =
      url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)").path
    guard FileManager.default.createFile(atPath: temporary, contents: nil),
      let handle = FileHandle(forWritingAtPath: temporary)
    else {
      throw CommandFailure(
        .cannotCreate, path: path, "The file can't be made",
        repair: "Check the permissions of its folder.")
    }
    self.handle = handle
  }

  deinit {
    guard !isFinished else { return }
    // What is half written has no other name. If even this fails, it stays as a hidden file.
    unlink(temporary)
  }

  /// - Throws: ``CommandFailure`` when the disk is full.
  func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  /// - Throws: As ``write(_:)-(String)``.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw failure("\(error.localizedDescription)")
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``CommandFailure`` when the disk is full, or the name is taken by now.
  func finish() throws(CommandFailure) {
    do {
      try handle.synchronize()
      try handle.close()
      try FileManager.default.moveItem(atPath: temporary, toPath: path)
      isFinished = true
    } catch {
      throw failure(error.localizedDescription)
    }
  }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure(
      .inputOutput, path: path, "The file can't be written (\(reason))",
      repair: "Check the disk, and its room.")
  }
}
