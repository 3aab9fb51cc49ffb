import Foundation
import StrataStorage

/// The bytes to import.
package enum ImportInput: Sendable {
  case bytes([UInt8])
  /// A file, which may be a pipe.
  case file(path: String)

  /// Whether the input can be read a second time.
  var isLasting: Bool {
    guard case .file(let path) = self else { return true }
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }
}

/// A reader of single bytes, with a buffer.
///
/// It skips a UTF-8 byte order mark.
final class ByteReader {
  private var piece: [UInt8]
  private var position = 0
  /// The number of bytes before the buffer.
  private var bytesBefore = 0
  /// The file descriptor; nil for bytes in memory.
  private let descriptor: Int32?
  /// Cancels reading, also while it waits for the writer of a pipe.
  private let cancellation: Cancellation?

  private static let pieceSize = 65_536
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Throws: ``RequestFailure`` with code `input` if the file can't be read.
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
    // A pipe may return one byte at a time.
    while piece.count < Self.mark.count, try readMore() {}
    if piece.starts(with: Self.mark) { piece.removeFirst(Self.mark.count) }
  }

  deinit { if let descriptor { close(descriptor) } }

  /// The number of bytes that were consumed.
  var offset: Int { bytesBefore + position }

  /// The next byte, without consuming it; nil at the end.
  func peek() throws(RequestFailure) -> UInt8? {
    if position == piece.count {
      bytesBefore += piece.count
      position = 0
      if descriptor != nil { piece.removeAll(keepingCapacity: true) } else { piece = [] }
      guard try readMore() else { return nil }
    }
    return piece[position]
  }

  /// Consumes the byte that ``peek()`` returned.
  func skip() { position += 1 }

  /// Consumes spaces and line breaks.
  func skipSpaces() throws(RequestFailure) {
    while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { skip() }
  }

  /// The unread bytes in the buffer. Consumes nothing.
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

  /// - Throws: ``RequestFailure`` after a cancellation.
  private func waitForBytes(_ descriptor: Int32) throws(RequestFailure) {
    guard let cancellation else { return }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if cancellation.isCancelled { throw Self.failure(EINTR) }
    } while poll(&request, 1, Self.patience) == 0
  }

  /// The timeout of a poll in milliseconds.
  private static let patience: Int32 = 50

  private static func failure(_ number: CInt) -> RequestFailure {
    RequestFailure(
      .unavailable, "input",
      "The file can't be read (\(String(cString: strerror(number)))). Check the path and its "
        + "permissions.")
  }
}
