import Foundation
import Synchronization

/// Hears Control-C while something is written, so that nothing half done stays behind.
enum Interruption {
  private static let isRequested = Atomic<Bool>(false)

  /// From now on Control-C doesn't end the process, but the next ``check()``.
  static func listen() {
    // Made now: a signal handler may do nothing but set it.
    isRequested.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in Interruption.isRequested.store(true, ordering: .relaxed) }
  }

  /// Whether the user wants to end it.
  static var isInterrupted: Bool { isRequested.load(ordering: .relaxed) }

  /// - Throws: `CancellationError` once the user wants to end it.
  static func check() throws { if isInterrupted { throw CancellationError() } }
}
