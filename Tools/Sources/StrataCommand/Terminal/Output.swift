import Foundation

/// The streams of the process: results go to the standard output, everything else to the error
/// output.
enum Output {
  /// Opens `/dev/null` for each standard stream that the caller has closed. Otherwise the next
  /// opened file would get its number, and errors would be written into that file.
  static func openStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
  }

  /// Makes a write fail when the reader has closed the pipe, as `head` does. Without this, the
  /// signal would end the process before private copies are deleted.
  ///
  /// The handler does nothing. Child processes would inherit an ignored signal, but not a handler.
  static func outliveReaders() {
    if !Interruption.isIgnored(SIGPIPE) { signal(SIGPIPE) { _ in } }
  }

  /// Ends the process silently by `SIGPIPE`, as usual for a closed pipe. Returns if the caller
  /// ignores that signal.
  static func endWithReader() {
    guard !Interruption.isIgnored(SIGPIPE) else { return }
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  }

  /// - Throws: `POSIXError`, for example because the disk is full; with code `EINTR` if a signal
  ///   arrives while the reader doesn't read.
  static func write(_ bytes: [UInt8]) throws(POSIXError) {
    try write(bytes, to: STDOUT_FILENO)
  }

  /// Writes to the error output. A failure is ignored: only the exit status is left to report it.
  static func writeError(_ text: String) {
    do throws(POSIXError) {
      try write(Array(text.utf8), to: STDERR_FILENO)
    } catch {}
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try waitForRoom(descriptor)
      // A pipe that is ready takes `PIPE_BUF` bytes without blocking.
      let part = rest.prefix(Int(PIPE_BUF))
      let count = part.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until the reader takes more bytes.
  ///
  /// - Throws: `POSIXError` with code `EINTR` if a signal asks the process to end.
  private static func waitForRoom(_ descriptor: Int32) throws(POSIXError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&request, 1, patience)
      guard count == 0 || count < 0 && errno == EINTR else { return }
      if Interruption.isInterrupted { throw POSIXError(.EINTR) }
    }
  }

  /// The timeout of a poll in milliseconds.
  private static let patience: Int32 = 50
}
