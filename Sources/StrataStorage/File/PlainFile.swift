package import Foundation

/// The only place that opens and closes files by itself, and not through SQLite.
///
/// A process that closes any descriptor of a file gives up all the POSIX locks that it has on the
/// file, those of SQLite included: another process then takes the file for unused, empties and
/// deletes its WAL, and later commits are lost
/// (https://www.sqlite.org/howtocorrupt.html, "Posix advisory locks canceled by a separate thread
/// doing close()"). So nothing here opens a database that could be open in this process: files are
/// new ones with a name of their own, folders, or locks.
package enum PlainFile {
  /// Makes an empty file with the permissions and the owner of another one.
  ///
  /// - Throws: ``RealmError`` with code `fileAccess`, `filePermissionDenied` or `outOfDiskSpace`.
  package static func create(_ url: URL, like permissions: FilePermissions?) throws(RealmError) {
    // Only for this user, until it has its owner.
    let mode: mode_t = permissions == nil ? 0o644 : 0o600
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure("The file '\(url.path)' can't be made:", url) }
    defer { close(descriptor) }
    guard permissions?.apply(to: descriptor) != false else {
      throw failure("The permissions of '\(url.path)' can't be set:", url)
    }
  }

  /// Writes bytes into an empty file that ``create(_:like:)`` has made.
  package static func fill(_ url: URL, with bytes: UnsafeRawBufferPointer) throws(RealmError) {
    let descriptor = open(url.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("'\(url.path)' can't be opened:", url) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("'\(url.path)' can't be written:", url) }
      rest = rest.dropFirst(count)
    }
  }

  /// Has nobody write a whole file any more, and its time be now.
  package static func finish(_ url: URL) throws(RealmError) {
    let mode = FilePermissions(of: url)?.mode ?? 0o444
    guard chmod(url.path, mode & 0o444) == 0, utimes(url.path, nil) == 0 else {
      throw failure("The permissions of '\(url.path)' can't be set:", url)
    }
    try synchronize(url)
  }

  /// Waits until a file that no realm has open, or the names in a folder, are on the disk.
  package static func synchronize(_ url: URL) throws(RealmError) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("'\(url.path)' can't be opened:", url) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw failure("'\(url.path)' can't be written to the disk:", url)
    }
  }

  /// Gives a whole file its name, unless something has that name already.
  ///
  /// - Returns: Whether it has it now. It may have its old name as well.
  package static func name(_ file: URL, _ name: URL) throws(RealmError) -> Bool {
    if link(file.path, name.path) == 0 { return true }
    if errno == EEXIST { return false }
    // The file system has no links.
    var status = stat()
    if lstat(name.path, &status) == 0 { return false }
    guard rename(file.path, name.path) == 0 else {
      throw failure("'\(name.path)' can't be made:", name)
    }
    return true
  }

  /// The contents of a small file that is no database; nil when there is none, or something else
  /// has the name.
  package static func contents(
    of url: URL, atMost limit: Int
  ) throws(RealmError) -> [UInt8]? {
    // Without waiting for the other end of a pipe.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("'\(url.path)' can't be opened:", url)
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
      guard count >= 0 else { throw failure("'\(url.path)' can't be read:", url) }
      if count == 0 { break }
      length += count
    }
    return Array(bytes.prefix(length))
  }

  /// Puts new contents in the place of a small file that is no database: who reads it finds the
  /// old or the new ones, and never a part.
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
      guard rename(part.path, url.path) == 0 else {
        throw failure("'\(url.path)' can't be written:", url)
      }
    }
    if case .failure = filled { unlink(part.path) }
    try filled.get()
    try synchronize(folder)
  }

  static func failure(_ what: String, _ url: URL) -> RealmError {
    RealmError(FileReason.lastCode, "\(what) \(FileReason.last)", fileURL: url)
  }
}

/// A lock that a process holds on a file, whose only purpose that is. It ends with the process.
package final class FileLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes the file and shares it with others that do.
  ///
  /// - Returns: Nil when another process has deleted the file meanwhile.
  package static func shared(_ url: URL) throws(RealmError) -> FileLock? {
    guard let lock = open(url, O_RDWR | O_CREAT) else {
      if errno == ENOENT { return nil }
      throw failure("opened", url)
    }
    guard lock.take(LOCK_SH) else { throw failure("locked", url) }
    return lock.hasName ? lock : nil
  }

  /// The lock of a file; nil when a process holds it or has deleted it meanwhile, the file is
  /// missing, or it is another user's.
  package static func exclusive(_ url: URL) -> FileLock? {
    guard let lock = open(url, O_RDWR), lock.take(LOCK_EX | LOCK_NB), lock.hasName else {
      return nil
    }
    return lock
  }

  /// Makes the file if it is missing, and locks it; nil when a process holds it, or has deleted it
  /// meanwhile.
  package static func exclusive(making url: URL) throws(RealmError) -> FileLock? {
    guard let lock = open(url, O_RDWR | O_CREAT) else { throw failure("opened", url) }
    guard lock.take(LOCK_EX | LOCK_NB) else {
      if errno == EWOULDBLOCK { return nil }
      throw failure("locked", url)
    }
    return lock.hasName ? lock : nil
  }

  /// Whether the file still has its name: a process that deletes it holds the lock meanwhile.
  private var hasName: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private static func open(_ url: URL, _ flags: Int32) -> FileLock? {
    let descriptor = Foundation.open(url.path, flags | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? FileLock(descriptor) : nil
  }

  private static func failure(_ what: String, _ url: URL) -> RealmError {
    RealmError(
      FileReason.lastCode, "'\(url.path)' can't be \(what): \(FileReason.last)", fileURL: url)
  }

  private func take(_ operation: Int32) -> Bool {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
