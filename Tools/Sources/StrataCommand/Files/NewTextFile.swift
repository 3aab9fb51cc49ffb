import Foundation
import StrataStorage

/// A text file that is written under a temporary name, and renamed when it is complete.
///
/// The temporary file is hidden, `.people.csv.ID`, and the process holds a lock on it. An unlocked
/// one was left by a process that was killed; the next text of that name deletes it.
final class NewTextFile {
  private let path: String
  /// The path with symbolic links resolved.
  private let place: String
  private let temporary: String
  private let handle: FileHandle
  /// Nil where the file system has no locks.
  private let lock: FileLock?
  private var isFinished = false

  /// - Throws: ``CommandFailure`` if the file can't be created.
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
      // Another command may have deleted the file before it was locked.
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
      // Creating the file will report the problem with the folder.
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
    // Deletes an incomplete file. If even this fails, it stays hidden.
    unlink(temporary)
  }

  /// - Throws: ``CommandFailure`` if the disk is full.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw failure("\(error.localizedDescription)")
    }
  }

  /// Renames the file to its final name.
  ///
  /// - Throws: ``CommandFailure`` if the disk is full, or if another file has the name now.
  func finish() throws(CommandFailure) {
    do {
      try handle.synchronize()
      try handle.close()
      try FileManager.default.moveItem(atPath: temporary, toPath: place)
      isFinished = true
      try PlainFile.synchronizeNames(in: URL(fileURLWithPath: place).deletingLastPathComponent())
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
