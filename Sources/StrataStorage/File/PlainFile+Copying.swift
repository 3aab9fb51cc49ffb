package import Foundation

/// Copies of a database whose writer isn't SQLite, but keeps to its locks.
extension PlainFile {
  /// Copies a file while its writer is kept away by the lock that a reader of SQLite's takes.
  ///
  /// The process must have no connection to the file: closing the descriptor gives up all the locks
  /// that it has there.
  /// - Parameters:
  ///   - patience: How long to wait for the writer.
  ///   - body: Called after the copy was made, and before the writer may go on.
  /// - Returns: What the closure returns; nil when the writer didn't let go of the file.
  package static func copyLocked<Result>(
    _ source: URL, to target: URL, patience: Duration, _ body: () throws -> Result
  ) throws -> Result? {
    let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("'\(source.path)' can't be opened:", source) }
    defer { close(descriptor) }
    let end = ContinuousClock.now + patience
    while try !lockForReading(descriptor, source) {
      guard ContinuousClock.now < end else { return nil }
      usleep(2_000)
    }
    try create(target, like: nil)
    let copy = open(target.path, O_RDWR | O_CLOEXEC)
    guard copy >= 0 else { throw failure("'\(target.path)' can't be opened:", target) }
    defer { close(copy) }
    guard clone(descriptor, copy) || copyBytes(descriptor, copy)
    else { throw failure("'\(target.path)' can't be written:", target) }
    let result = try body()
    guard endLogMode(copy) else { throw failure("'\(target.path)' can't be written:", target) }
    return result
  }

  /// The bytes on which SQLite has its locks on a file.
  private enum LockedBytes {
    static let pending: off_t = 0x4000_0000
    static let shared: off_t = pending + 2
    static let sharedCount: off_t = 510
  }

  /// Takes the lock of a reader, as SQLite does; false while a writer has it.
  private static func lockForReading(_ descriptor: CInt, _ url: URL) throws(RealmError) -> Bool {
    guard try lock(descriptor, F_RDLCK, LockedBytes.pending, 1, url) else { return false }
    let isLocked = try lock(
      descriptor, F_RDLCK, LockedBytes.shared, LockedBytes.sharedCount, url)
    _ = try lock(descriptor, F_UNLCK, LockedBytes.pending, 1, url)
    return isLocked
  }

  private static func lock(
    _ descriptor: CInt, _ type: CInt, _ start: off_t, _ length: off_t, _ url: URL
  ) throws(RealmError) -> Bool {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = start
    range.l_len = length
    while fcntl(descriptor, F_SETLK, &range) != 0 {
      if errno == EINTR { continue }
      if errno == EACCES || errno == EAGAIN { return false }
      throw failure("'\(url.path)' can't be locked:", url)
    }
    return true
  }

  /// Shares the blocks of a file, where the file system can.
  private static func clone(_ source: CInt, _ target: CInt) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      // FICLONE, which is a macro.
      return ioctl(target, 0x4004_9409, source) == 0
    #endif
  }

  private static func copyBytes(_ source: CInt, _ target: CInt) -> Bool {
    guard ftruncate(target, 0) == 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var place: off_t = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, place) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      if count == 0 { return true }
      var done = 0
      while done < count {
        let written = bytes.withUnsafeBytes {
          pwrite(target, $0.baseAddress?.advanced(by: done), count - done, place + off_t(done))
        }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return false }
        done += written
      }
      place += off_t(count)
    }
  }

  /// Has a database say that it needs no WAL: readers that know nothing of publications would make
  /// one beside it.
  private static func endLogMode(_ descriptor: CInt) -> Bool {
    var header = [UInt8](repeating: 0, count: 20)
    guard header.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, 20, 0) }) == 20,
      header[18] == 2, header[19] == 2
    else { return true }
    return [UInt8(1), 1].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 2, 18) } == 2
  }
}
