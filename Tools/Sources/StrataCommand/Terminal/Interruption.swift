import Foundation
import StrataStorage

/// Hears Control-C, and that the system wants to end the process, while something is written, so
/// that nothing half done stays behind.
enum Interruption {
  /// Ends what takes it, once the user, or the system, wants that.
  static let cancellation = Cancellation()

  /// From now on these signals don't end the process, but the next ``check()``.
  static func listen() {
    // Made now: a signal handler may do nothing but set it.
    _ = cancellation
    // 'nohup' has a process ignore what would end it.
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { _ in Interruption.cancellation.cancel() }
    }
  }

  /// Whether the caller has the process ignore a signal.
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

  /// Runs a closure that starts a process, which hears signals: most threads hear none, and a
  /// process begins with what the thread hears that starts it.
  static func hearingSignals<Result>(_ start: () throws -> Result) rethrows -> Result {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try start()
  }

  /// Whether the user, or the system, wants to end it.
  static var isInterrupted: Bool { cancellation.isCancelled }

  /// - Throws: `CancellationError` once it is to end.
  static func check() throws { try cancellation.check() }
}
