import Foundation
import Synchronization

/// Hears Control-C, and that the system wants to end the process, while something is written, so
/// that nothing half done stays behind.
enum Interruption {
  private static let isRequested = Atomic<Bool>(false)

  /// From now on these signals don't end the process, but the next ``check()``.
  static func listen() {
    // Made now: a signal handler may do nothing but set it.
    isRequested.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // 'nohup' has a process ignore what would end it.
      var before = sigaction()
      guard sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
      signal(number) { _ in Interruption.isRequested.store(true, ordering: .relaxed) }
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether the user, or the system, wants to end it.
  static var isInterrupted: Bool { isRequested.load(ordering: .relaxed) }

  /// - Throws: `CancellationError` once it is to end.
  static func check() throws { if isInterrupted { throw CancellationError() } }
}
