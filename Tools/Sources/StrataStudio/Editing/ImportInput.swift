import Foundation
import StrataStorage

/// The bytes that are imported.
package enum ImportInput: Sendable {
  case bytes([UInt8])
  /// A file, which may be a pipe.
  case file(path: String)

  /// Whether it can be read a second time.
  var isLasting: Bool {
    guard case .file(let path) = self else { return true }
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }
}

/// A reader of bytes one after the other, with a piece of them in memory.
///
/// The mark that some programs put before UTF-8 is left out.
final class ByteReader {
  private var piece: [UInt8]
  private var position = 0
  /// How many bytes were before the piece.
  private var bytesBefore = 0
  /// Nil for what is in memory.
  private let descriptor: Int32?
  /// Ends the reading, also while it waits for the writer of a pipe.
  private let cancellation: Cancellation?

  private static let pieceSize = 65_536
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Throws: ``RequestFailure`` with code `input` for a file that can't be read.
  init(_ input: ImportInput, _ cancellation: Cancellation? = nil) throws(RequestFailure) {
    self.cancellation = cancellation
    switch input {
    case .bytes(let bytes):
      piece = bytes
      descriptor = nil
    case .file(let path):
      piece = []
      let opened = open(path, O_RDONLY | O_CLOEXEC)
      descriptor = opened
      guard opened >= 0 else { throw Self.failure(errno) }
    }
    // A pipe may give one byte at a time.
    while piece.count < Self.mark.count, try readMore() {}
    if piece.starts(with: Self.mark) { piece.removeFirst(Self.mark.count) }
  }

  deinit { if let descriptor { close(descriptor) } }

  /// How many bytes were read.
  var offset: Int { bytesBefore + position }

  /// The next byte, which stays the next one; nil at the end.
  func peek() throws(RequestFailure) -> UInt8? {
    if position == piece.count {
      bytesBefore += piece.count
      position = 0
      if descriptor != nil { piece.removeAll(keepingCapacity: true) } else { piece = [] }
      guard try readMore() else { return nil }
    }
    return piece[position]
  }

  /// Leaves the byte behind that ``peek()`` gave.
  func skip() { position += 1 }

  /// Leaves spaces and ends of lines behind.
  func skipSpaces() throws(RequestFailure) {
    while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { skip() }
  }

  /// The first byte of the rest that is no space and no end of a line, if the piece in memory has
  /// one. Nothing is left behind.
  func firstVisible() throws(RequestFailure) -> UInt8? {
    _ = try peek()
    return piece[position...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// The bytes from the next one on that are in memory. Nothing is left behind.
  func start() throws(RequestFailure) -> [UInt8] {
    _ = try peek()
    return Array(piece[position...])
  }

  private func readMore() throws(RequestFailure) -> Bool {
    guard let descriptor else { return false }
    let start = piece.count
    piece.append(contentsOf: repeatElement(0, count: Self.pieceSize))
    while true {
      try waitForBytes(descriptor)
      let (count, number) = piece.withUnsafeMutableBytes { bytes in
        let room = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        return (read(descriptor, room.baseAddress, room.count), errno)
      }
      if count < 0, number == EINTR { continue }
      guard count >= 0 else { throw Self.failure(number) }
      piece.removeLast(Self.pieceSize - count)
      return count > 0
    }
  }

  /// - Throws: ``RequestFailure`` once it is cancelled.
  private func waitForBytes(_ descriptor: Int32) throws(RequestFailure) {
    guard let cancellation else { return }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if cancellation.isCancelled { throw Self.failure(EINTR) }
    } while poll(&request, 1, Self.patience) == 0
  }

  /// In milliseconds.
  private static let patience: Int32 = 50

  private static func failure(_ number: CInt) -> RequestFailure {
    RequestFailure(
      .unavailable, "input",
      "The file can't be read (\(String(cString: strerror(number)))). Check the path and its "
        + "permissions.")
  }
}
