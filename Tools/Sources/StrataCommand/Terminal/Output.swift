import Foundation

/// The streams of the process: results go to the standard output, all else to the error output.
enum Output {
  /// Opens what the caller has closed, as nothing: the next file that is opened would be it, and
  /// errors would be written into that file.
  static func openStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
  }

  /// From now on a reader that goes away, as `head` does, makes the next write fail instead of
  /// ending the process, so that private copies are removed first.
  ///
  /// Programs that this one starts inherit an ignored signal, and no handler: this one does
  /// nothing.
  static func outliveReaders() {
    if !Interruption.isIgnored(SIGPIPE) { signal(SIGPIPE) { _ in } }
  }

  /// Ends the process as the signal does that a program gets whose reader went away: silently. It
  /// returns where the caller ignores that signal.
  static func endWithReader() {
    guard !Interruption.isIgnored(SIGPIPE) else { return }
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
  }

  /// - Throws: `POSIXError`, for example because the disk is full, and with code `EINTR` when the
  ///   process is to end while the reader doesn't read.
  static func write(_ bytes: [UInt8]) throws(POSIXError) {
    try write(bytes, to: STDOUT_FILENO)
  }

  /// Where even this fails, nothing is left to say so to: the exit status tells.
  static func writeError(_ text: String) {
    do throws(POSIXError) {
      try write(Array(text.utf8), to: STDERR_FILENO)
    } catch {}
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try waitForRoom(descriptor)
      // A pipe that has room has room for so much, so that nothing waits here.
      let part = rest.prefix(Int(PIPE_BUF))
      let count = part.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for a reader that is busy, or doesn't read at all.
  ///
  /// - Throws: `POSIXError` with code `EINTR` when the process is to end meanwhile.
  private static func waitForRoom(_ descriptor: Int32) throws(POSIXError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&request, 1, patience)
      guard count == 0 || count < 0 && errno == EINTR else { return }
      if Interruption.isInterrupted { throw POSIXError(.EINTR) }
    }
  }

  /// In milliseconds.
  private static let patience: Int32 = 50
}
