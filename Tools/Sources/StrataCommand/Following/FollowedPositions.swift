import Foundation
import StrataStorage

/// The positions of a source that is followed: what it told, and what is published of it.
struct FollowedPositions {
  /// The position that was published last; nil when that isn't known.
  private var published: UInt64?
  /// The last answer of the source, and when it was asked for.
  private var last: (answer: LitestreamAnswer, askedAt: Date)?
  /// The position at which the private file is behind the source, and since when it was seen so.
  private var behindSince: (position: UInt64, time: ContinuousClock.Instant)?
  /// Whether everything is published that the source had at the last question.
  private(set) var areNewest = false

  /// Whether a position of the private file isn't published.
  func isNew(_ position: UInt64) -> Bool { position != published }

  mutating func publish(_ position: UInt64) { published = position }

  /// The private file was damaged: the same position may be another state when it is read again.
  mutating func unpublish() { published = nil }

  /// Forgets the last answer of the source.
  mutating func startAnew() {
    last = nil
    behindSince = nil
  }

  /// Notes the position of the private file, and says since when it has stood still behind what the
  /// source has: nil while it moves, or has everything.
  mutating func standstill(
    at position: UInt64?, now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard let position, let newest = last?.answer.newest, newest > position else {
      behindSince = nil
      return nil
    }
    if let behindSince, behindSince.position == position { return behindSince.time }
    behindSince = (position, now)
    return now
  }

  mutating func take(_ answer: LitestreamAnswer, askedAt date: Date) { last = (answer, date) }

  /// Finds out when the published state was sent, and whether it has what the source had at the
  /// last question: then it is as old as that at most.
  mutating func settle(_ state: inout FollowerState) {
    areNewest = false
    guard let published, let last, let newest = last.answer.newest else { return }
    state.sentAt = last.answer.time(of: published) ?? state.sentAt
    guard newest <= published else { return }
    // Also back: the clock was ahead.
    state.checkedAt = last.askedAt
    areNewest = true
  }
}
