import Foundation

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
