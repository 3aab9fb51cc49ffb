import Foundation

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
