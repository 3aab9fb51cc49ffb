import Foundation
import StrataStorage

/// The positions of a source that is followed: what the source reported, and what was published.
struct FollowedPositions {
  /// The position that was published last; nil if unknown.
  private var published: UInt64?
  /// The position whose contents were refused last, and the reason.
  private var refused: (position: UInt64, error: RealmError)?
  /// The last answer of the source, and the time of the question.
  private var last: (answer: LitestreamAnswer, askedAt: Date)?
  /// The position at which the private file fell behind the source, and the time when this was
  /// noticed.
  private var behindSince: (position: UInt64, time: ContinuousClock.Instant)?
  /// Whether everything that the source had at the last question is published.
  private(set) var areNewest = false

  /// Whether a position of the private file is neither published nor refused yet.
  func isNew(_ position: UInt64) -> Bool { position != published && position != refused?.position }

  /// The reason why the newest contents of the private file aren't published; nil if they are.
  var refusal: RealmError? { refused?.error }

  mutating func publish(_ position: UInt64) {
    published = position
    refused = nil
  }

  mutating func refuse(_ position: UInt64, _ error: RealmError) { refused = (position, error) }

  /// Forgets the published position. After damage, the same position may stand for another state.
  mutating func unpublish() { published = nil }

  /// Forgets the last answer of the source.
  mutating func startAnew() {
    last = nil
    refused = nil
    behindSince = nil
  }

  /// Records the position of the private file. Returns the time since when the position has stood
  /// still although the source has more; nil while the file advances, or is up to date.
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

  /// Sets the time when the published state was sent. If that state includes everything that the
  /// source had at the last question, it was current at that time.
  mutating func settle(_ state: inout FollowerState) {
    areNewest = false
    guard let published, let last, let newest = last.answer.newest else { return }
    state.sentAt = last.answer.time(of: published) ?? state.sentAt
    guard newest <= published else { return }
    // This may set the time back, if the clock was ahead before.
    state.checkedAt = last.askedAt
    areNewest = true
  }
}
