import Foundation
import StrataStorage

/// A text that is written beside its place, and gets its name when all of it is there.
///
/// Meanwhile it is hidden, `.people.csv.ID`, and the process holds a lock on it. Where no process
/// holds it one was killed, and the next text of that name removes what is left.
final class NewTextFile {
  private let path: String
  /// The path that a link leads to.
  private let place: String
  private let temporary: String
  private let handle: FileHandle
  /// Nil where the file system has no locks.
  private let lock: FileLock?
  private var isFinished = false

  /// - Throws: ``CommandFailure`` where no file can be made.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let url = StoreFile.behindLinks(URL(fileURLWithPath: path))
    place = url.path
    let (folder, start) = (url.deletingLastPathComponent(), ".\(url.lastPathComponent).")
    Self.removeAbandoned(in: folder, start)
    while true {
      let hidden = folder.appendingPathComponent("\(start)\(UUID().uuidString)")
      guard FileManager.default.createFile(atPath: hidden.path, contents: nil),
        let handle = FileHandle(forWritingAtPath: hidden.path)
      else {
        throw CommandFailure(
          .cannotCreate, path: path, "The file can't be made",
          repair: "Check the permissions of its folder.")
      }
      let lock = FileLock.exclusive(hidden)
      // Another command may just have found it abandoned.
      guard lock != nil || FileManager.default.fileExists(atPath: hidden.path) else { continue }
      temporary = hidden.path
      self.handle = handle
      self.lock = lock
      return
    }
  }

  private static func removeAbandoned(in folder: URL, _ start: String) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      // Making the file says what is wrong with the folder.
      return
    }
    for name in names {
      guard name.hasPrefix(start), UUID(uuidString: String(name.dropFirst(start.count))) != nil
      else { continue }
      let abandoned = folder.appendingPathComponent(name)
      guard let lock = FileLock.exclusive(abandoned) else { continue }
      withExtendedLifetime(lock) { _ = unlink(abandoned.path) }
    }
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
      try FileManager.default.moveItem(atPath: temporary, toPath: place)
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
