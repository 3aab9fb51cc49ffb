package import Foundation

/// The only code that opens and closes files directly, and not through SQLite.
///
/// A process that closes any descriptor of a file releases all its POSIX locks on the file,
/// including SQLite's. Another process may then treat the file as unused, and truncate and delete
/// its WAL, so that later commits are lost (https://www.sqlite.org/howtocorrupt.html, "Posix
/// advisory locks canceled by a separate thread doing close()"). So the functions of this type
/// never open a database that could be open in this process. They open only new files with unique
/// names, folders and lock files.
package enum PlainFile {
  /// Creates an empty file with the permissions and the owner of another file.
  package static func create(_ url: URL, like permissions: FilePermissions?) throws(RealmError) {
    // Only this user may use the file until its owner is set.
    let mode: mode_t = permissions == nil ? 0o644 : 0o600
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure("made", url, "The file ") }
    defer { close(descriptor) }
    guard permissions?.apply(to: descriptor) != false else {
      throw failure("set", url, "The permissions of ")
    }
  }

  /// Writes bytes into an empty file that ``create(_:like:)`` has created.
  package static func fill(_ url: URL, with bytes: UnsafeRawBufferPointer) throws(RealmError) {
    let descriptor = open(url.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("opened", url) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("written", url) }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes a finished file read-only, and sets its modification time to now.
  package static func finish(_ url: URL) throws(RealmError) {
    let mode = FilePermissions(of: url)?.mode ?? 0o444
    guard chmod(url.path, mode & 0o444) == 0, utimes(url.path, nil) == 0 else {
      throw failure("set", url, "The permissions of ")
    }
    try synchronize(url)
  }

  /// Creates a folder, and its parents, if necessary. New names are on the disk when this returns.
  package static func makeFolder(_ url: URL) throws(RealmError) {
    let parent = url.deletingLastPathComponent()
    func isThere() throws(RealmError) -> Bool {
      guard mkdir(url.path, 0o777) == 0 else { return errno == EEXIST }
      try synchronizeNames(in: parent)
      return true
    }
    if try isThere() { return }
    if errno == ENOENT, parent.path.utf8.count < url.path.utf8.count {
      try makeFolder(parent)
      if try isThere() { return }
    }
    throw failure("made", url, "The folder ")
  }

  /// Waits until the names in a folder are on the disk. Like SQLite, doesn't wait for a folder that
  /// may not be read.
  package static func synchronizeNames(in folder: URL) throws(RealmError) {
    if access(folder.path, R_OK) == 0 || errno != EACCES { try synchronize(folder) }
  }

  /// Waits until a file that no realm has open is on the disk.
  package static func synchronize(_ url: URL) throws(RealmError) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("opened", url) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw failure("written to the disk", url)
    }
  }

  /// Gives a finished file its name, unless another file has that name. The name is on the disk
  /// when this returns.
  ///
  /// - Returns: Whether the file has the name now. The file may have its old name as well.
  package static func name(_ file: URL, _ name: URL) throws(RealmError) -> Bool {
    if link(file.path, name.path) != 0 {
      if errno == EEXIST { return false }
      // The file system has no hard links.
      var status = stat()
      if lstat(name.path, &status) == 0 { return false }
      guard rename(file.path, name.path) == 0 else { throw failure("made", name) }
    }
    do throws(RealmError) {
      try synchronizeNames(in: name.deletingLastPathComponent())
    } catch {
      unlink(name.path)
      throw error
    }
    return true
  }

  /// Returns the contents of a small file that is no database; nil if there is no regular file.
  package static func contents(
    of url: URL, atMost limit: Int
  ) throws(RealmError) -> [UInt8]? {
    // Doesn't wait for the other end of a pipe.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("opened", url)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    while length < limit {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: length), limit - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", url) }
      if count == 0 { break }
      length += count
    }
    return Array(bytes.prefix(length))
  }

  /// Replaces the contents of a small file that is no database. A reader finds the old or the new
  /// contents, never a part.
  package static func replace(_ url: URL, with text: String) throws(RealmError) {
    let folder = url.deletingLastPathComponent()
    let part = folder.appendingPathComponent(".\(url.lastPathComponent).part")
    unlink(part.path)
    try create(part, like: nil)
    let filled = Result { () throws(RealmError) in
      let bytes = Array(text.utf8)
      let written = bytes.withUnsafeBytes { bytes in
        Result { () throws(RealmError) in try fill(part, with: bytes) }
      }
      try written.get()
      try synchronize(part)
      guard rename(part.path, url.path) == 0 else { throw failure("written", url) }
    }
    if case .failure = filled { unlink(part.path) }
    try filled.get()
    try synchronizeNames(in: folder)
  }

  fileprivate static func failure(_ what: String, _ url: URL, _ kind: String = "") -> RealmError {
    RealmError(
      FileReason.lastCode, "\(kind)'\(url.path)' can't be \(what): \(FileReason.last)", fileURL: url
    )
  }
}

/// A lock that a process holds on a lock file. The lock ends with the process.
package final class FileLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Creates the file, and takes a shared lock on it.
  ///
  /// - Returns: Nil if another process has deleted the file meanwhile.
  package static func shared(_ url: URL) throws(RealmError) -> FileLock? {
    guard let lock = open(url, O_RDWR | O_CREAT) else {
      if errno == ENOENT { return nil }
      throw PlainFile.failure("opened", url)
    }
    guard lock.take(LOCK_SH) else { throw PlainFile.failure("locked", url) }
    return lock.hasName ? lock : nil
  }

  /// Takes the lock of a file. Returns nil if a process holds it or has deleted the file meanwhile,
  /// or if the file is missing or belongs to another user.
  package static func exclusive(_ url: URL) -> FileLock? {
    guard let lock = open(url, O_RDWR), lock.take(LOCK_EX | LOCK_NB), lock.hasName else {
      return nil
    }
    return lock
  }

  /// Creates the file if it is missing, and locks it. Returns nil if a process holds the lock, or
  /// has deleted the file meanwhile.
  package static func exclusive(making url: URL) throws(RealmError) -> FileLock? {
    guard let lock = open(url, O_RDWR | O_CREAT) else { throw PlainFile.failure("opened", url) }
    guard lock.take(LOCK_EX | LOCK_NB) else {
      if errno == EWOULDBLOCK { return nil }
      throw PlainFile.failure("locked", url)
    }
    return lock.hasName ? lock : nil
  }

  /// Whether the file still has its name. A process that deletes the file holds the lock meanwhile.
  private var hasName: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private static func open(_ url: URL, _ flags: Int32) -> FileLock? {
    let descriptor = Foundation.open(url.path, flags | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? FileLock(descriptor) : nil
  }

  private func take(_ operation: Int32) -> Bool {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}

/// Copies of a database whose writer isn't SQLite, but uses SQLite's locks.
extension PlainFile {
  /// Copies a file while a lock like an SQLite reader's keeps its writer out.
  ///
  /// The process must have no connection to the file: closing the descriptor releases all the locks
  /// that the process has on it.
  /// - Parameters:
  ///   - patience: The longest time to wait for the writer.
  ///   - body: Called after the copy was made, and before the writer may continue.
  /// - Returns: The result of the closure; nil if the writer kept the file locked.
  package static func copyLocked<Result>(
    _ source: URL, to target: URL, patience: Duration, _ body: () throws -> Result
  ) throws -> Result? {
    let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("opened", source) }
    defer { close(descriptor) }
    let end = ContinuousClock.now + patience
    while try !lockForReading(descriptor, source) {
      guard ContinuousClock.now < end else { return nil }
      usleep(2_000)
    }
    try create(target, like: nil)
    let copy = open(target.path, O_RDWR | O_CLOEXEC)
    guard copy >= 0 else { throw failure("opened", target) }
    defer { close(copy) }
    guard clone(descriptor, copy) || copyBytes(descriptor, copy)
    else { throw failure("written", target) }
    let result = try body()
    guard endLogMode(copy) else { throw failure("written", target) }
    return result
  }

  /// The bytes at which SQLite locks a file.
  private enum LockedBytes {
    static let pending: off_t = 0x4000_0000
    static let shared: off_t = pending + 2
    static let sharedCount: off_t = 510
  }

  /// Takes the lock of a reader, like SQLite. Returns false while a writer holds the file.
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
      throw failure("locked", url)
    }
    return true
  }

  /// Shares the blocks of a file, if the file system supports that.
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

  /// Clears the WAL mode in a database's header. Otherwise readers that know nothing of
  /// publications would create a WAL beside it.
  private static func endLogMode(_ descriptor: CInt) -> Bool {
    var header = [UInt8](repeating: 0, count: 20)
    guard header.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, 20, 0) }) == 20,
      header[18] == 2, header[19] == 2
    else { return true }
    return [UInt8(1), 1].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 2, 18) } == 2
  }
}
