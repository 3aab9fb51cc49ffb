public import Foundation

/// A date as Realm stores it: exact to the nanosecond, over all seconds of 64 bits.
public struct RealmDate: Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  public var seconds: Int64
  /// Nanoseconds to add, from -999,999,999 to 999,999,999. None has another sign than the seconds.
  public var nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The nearest `Date`, which is exact to about 100 nanoseconds in this century.
  public var date: Date {
    // Each part is exact as a `Double`, up to 2⁵³ seconds.
    let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: sinceReference + Double(nanoseconds) / 1e9)
  }
}
