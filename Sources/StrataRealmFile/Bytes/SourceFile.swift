import Foundation
import Synchronization

/// The opening and mapping of files. No other code of the target opens files.
enum SourceFile {
  /// Maps the bytes of the file. No descriptor stays open, except for a database of SQLite.
  static func map(_ path: String) throws(RealmFileError) -> Region {
    try databases.refuse(path)
    // Avoids waiting for the writer of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw cannotOpen(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RealmFileError(
        .cannotOpen, "The path names no ordinary file", repair: "Give the path of a '.realm' file.")
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw .empty
    }
    guard let region = Region(mapping: descriptor, count: Int(status.st_size)) else {
      let reason = errno
      close(descriptor)
      throw cannotOpen(reason)
    }
    if region.bytes.starts(with: Databases.header) {
      databases.keep(descriptor, status)
      throw .database
    }
    close(descriptor)
    return region
  }

  /// Refuses a file that a program has open with Realm.
  ///
  /// Realm holds a shared lock on `NAME.lock` while it has the file open; the lock file itself
  /// stays behind and means nothing. The lock is taken and released at once, because Realm would
  /// wait for it. The lock file has the name of the path that the program used, which may be a
  /// symbolic link.
  static func refuseOpenFile(_ path: String) throws(RealmFileError) {
    try refuseLocked(path)
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    let file = String(cString: resolved)
    if file != path { try refuseLocked(file) }
  }

  private static func refuseLocked(_ path: String) throws(RealmFileError) {
    let descriptor = open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
      flock(descriptor, LOCK_UN)
      return
    }
    guard errno == EWOULDBLOCK else { return }
    throw RealmFileError(
      .inUse, "A program has the file open with Realm",
      repair: "Close it there, or read a copy that Realm makes with 'writeCopy'.")
  }

  private static func cannotOpen(_ reason: Int32) -> RealmFileError {
    RealmFileError(
      .cannotOpen, "The file can't be opened: " + String(cString: strerror(reason)),
      repair: "Give the path of a file that this program may read.")
  }

  private static let databases = Databases()

  /// Databases of SQLite that were given by mistake.
  ///
  /// A process that closes any descriptor of a database releases SQLite's locks on it
  /// (https://www.sqlite.org/howtocorrupt.html). So their descriptors stay open, one for each file.
  private final class Databases: Sendable {
    static let header = Array("SQLite format 3\0".utf8)

    private struct Identity: Hashable {
      let device: UInt64
      let number: UInt64

      init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
      }
    }

    private let descriptors = Mutex<[Identity: Int32]>([:])

    func keep(_ descriptor: Int32, _ status: stat) {
      descriptors.withLock { descriptors in
        guard descriptors[Identity(status)] == nil else { return }
        descriptors[Identity(status)] = descriptor
      }
    }

    /// An open descriptor keeps the number of the file in use, so it is still the same file.
    func refuse(_ path: String) throws(RealmFileError) {
      var status = stat()
      guard stat(path, &status) == 0,
        let descriptor = descriptors.withLock({ $0[Identity(status)] })
      else { return }
      var start = [UInt8](repeating: 0, count: Self.header.count)
      guard pread(descriptor, &start, start.count, 0) == start.count, start == Self.header else {
        return
      }
      throw .database
    }
  }
}

extension RealmFileError {
  static let empty = RealmFileError(
    .empty, "The file has no bytes",
    repair: "Copy the file again. If it was empty before, Realm has never written to it.")

  fileprivate static let database = RealmFileError(
    .notRealmFile, "The file is a database of SQLite, and no '.realm' file",
    repair: "Open it with Strata's 'Realm', or another program for SQLite.")
}

/// The bytes of a file as Realm wrote them: decrypted, and checked before they are used.
final class FileBytes: Sendable {
  static let headerSize = 24

  private let region: Region
  private let pages: EncryptedPages?
  /// The first bytes when the file was opened, to detect writes.
  private let header: [UInt8]

  let count: Int

  /// Creates unencrypted bytes.
  init(_ region: Region) {
    self.region = region
    pages = nil
    count = region.count
    header = Array(region.bytes.prefix(Self.headerSize))
  }

  /// Creates bytes that are decrypted page by page, at their first use.
  init(_ region: Region, cipher: any RealmFileCipher) throws(RealmFileError) {
    self.region = region
    let pages = try EncryptedPages(region, cipher: cipher)
    self.pages = pages
    count = pages.count
    // A commit writes the header, and therefore the entry of its page.
    header = Array(region.bytes.prefix(EncryptedPages.entrySize))
  }

  /// Returns a pointer to bytes of the file, valid while this object exists.
  func pointer(to offset: Int, count: Int) throws(RealmFileError) -> UnsafeRawPointer {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw .damaged("\(count) bytes reach behind its end", at: offset)
    }
    if let pages { return try pages.pointer(to: offset, count: count) }
    return UnsafeRawPointer(region.start + offset)
  }

  /// Releases the memory of a mapped file. Its bytes are read from the disk again when they are
  /// used.
  func release() {
    if pages == nil { region.release() }
  }

  /// Whether a program wrote to the file since it was opened.
  ///
  /// Each commit changes the first bytes, and keeps the data of the previous commit.
  var hasChanged: Bool { !region.bytes.starts(with: header) }
}

/// Memory of a fixed size, aligned to 8 bytes, that is freed with the object.
///
/// Its bytes never change after it was filled, except in a mapped file that a program writes to.
final class Region: @unchecked Sendable {
  // guarded by: nothing. The buffer is written before it is shared.
  let start: UnsafeMutableRawPointer
  let count: Int
  private let isMapped: Bool

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Maps the bytes of an open file, which are read from the disk when they are used.
  init?(mapping descriptor: Int32, count: Int) {
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    self.start = start
    self.count = count
    isMapped = true
  }

  /// Allocates zeros, which take memory when they are first written to.
  init?(zeros count: Int) {
    guard let start = calloc(max(count / 8 + 1, 1), 8) else { return nil }
    self.start = start
    self.count = count
    isMapped = false
  }

  /// Discards the cached pages of a mapped file. The system reads them again when they are used.
  func release() {
    if isMapped { madvise(start, count, MADV_DONTNEED) }
  }

  convenience init?(copying bytes: UnsafeRawBufferPointer) {
    self.init(zeros: bytes.count)
    if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: bytes.count) }
  }

  deinit {
    if isMapped {
      munmap(start, count)
    } else {
      free(start)
    }
  }
}
