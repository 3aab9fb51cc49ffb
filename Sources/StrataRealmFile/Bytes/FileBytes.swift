import Foundation

/// The bytes of a file as Realm sees them: decrypted, and checked before they are used.
final class FileBytes: Sendable {
  /// The bytes in front of everything else.
  static let headerSize = 24

  private let region: Region
  private let pages: EncryptedPages?
  /// The first bytes when the file was opened, to notice that it is written to.
  private let header: [UInt8]

  /// The number of bytes.
  let count: Int

  /// Plain bytes.
  init(_ region: Region) {
    self.region = region
    pages = nil
    count = region.count
    header = Array(region.bytes.prefix(Self.headerSize))
  }

  /// Bytes that are decrypted page by page, when they are first used.
  init(_ region: Region, cipher: any RealmFileCipher) throws(RealmFileError) {
    self.region = region
    let pages = try EncryptedPages(region, cipher: cipher)
    self.pages = pages
    count = pages.count
    // A commit writes the header, and so the entry of its page.
    header = Array(region.bytes.prefix(EncryptedPages.entrySize))
  }

  /// A pointer to bytes of the file, which stay where they are as long as this object lives.
  func pointer(to offset: Int, count: Int) throws(RealmFileError) -> UnsafeRawPointer {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw .damaged("\(count) bytes reach behind its end", at: offset)
    }
    if let pages { return try pages.pointer(to: offset, count: count) }
    return UnsafeRawPointer(region.start + offset)
  }

  /// Gives back the memory of a mapped file, whose bytes come from the disk again when they are
  /// used.
  func release() {
    if pages == nil { region.release() }
  }

  /// Whether a program wrote to the file since it was opened.
  ///
  /// Each commit changes the first bytes, and keeps what the commit before it wrote.
  var hasChanged: Bool { !region.bytes.starts(with: header) }
}

/// Memory of a fixed size, aligned to 8 bytes, that is given back with the object.
///
/// Its bytes never change once they were filled, apart from those of a mapped file that a program
/// writes to.
final class Region: @unchecked Sendable {
  // guarded by: nothing; nobody writes to it once it was filled.
  let start: UnsafeMutableRawPointer
  let count: Int
  private let isMapped: Bool

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The bytes of an open file, which are read from the disk when they are used.
  ///
  /// - Returns: nil if the system refuses.
  init?(mapping descriptor: Int32, count: Int) {
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    self.start = start
    self.count = count
    isMapped = true
  }

  /// Zeros, which take memory when they are first written to.
  init?(zeros count: Int) {
    guard let start = calloc(max(count / 8 + 1, 1), 8) else { return nil }
    self.start = start
    self.count = count
    isMapped = false
  }

  /// Has the system forget what it read of a mapped file. It reads it again when it is used again.
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
