import Foundation
import StrataStorage

/// The handling of Control-C and termination signals, so that a command can clean up before it
/// ends.
enum Interruption {
  /// The cancellation of the running command. Signals cancel it.
  static let cancellation = Cancellation()

  /// Installs the signal handlers. Afterwards, a signal makes the next ``check()`` throw.
  static func listen() {
    // Initialises the cancellation now, because a signal handler may only set a flag.
    _ = cancellation
    // `nohup` makes the process ignore SIGHUP, which must stay ignored.
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { _ in Interruption.cancellation.cancel() }
    }
  }

  /// Whether the process ignores a signal.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return true }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Runs a closure that starts a process, with all signals unblocked. Most threads block signals,
  /// and a new process inherits the mask of the thread that starts it.
  static func withUnblockedSignals<Result>(_ start: () throws -> Result) rethrows -> Result {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try start()
  }

  /// Whether a signal has asked the process to end.
  static var isInterrupted: Bool { cancellation.isCancelled }

  /// - Throws: `CancellationError` after a signal.
  static func check() throws { try cancellation.check() }
}
