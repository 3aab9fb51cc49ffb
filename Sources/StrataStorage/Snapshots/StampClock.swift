public import CStrataRuntime

/// A clock that advances with each change of a file. Reading it takes about a nanosecond.
@usableFromInline
package final class StampClock: Sendable {
  /// Not an `Atomic`: reading one counts as something that may release objects.
  @usableFromInline nonisolated(unsafe) let time: UnsafeMutablePointer<UInt64>

  package init(startingAt start: UInt64 = 1) {
    time = .allocate(capacity: 1)
    time.initialize(to: start)
  }

  deinit { time.deallocate() }

  /// The current time. Objects with an older stamp may be out of date.
  @inlinable @inline(__always)
  package var now: UInt64 { strata_time_now(time) }

  /// Advances the clock and returns the new time, which no other call has returned or will.
  @discardableResult
  package func advance() -> UInt64 { strata_time_advance(time) }

  /// Sets the time; for a clock that only one thread advances.
  package func set(_ newTime: UInt64) { strata_time_set(time, newTime) }
}
