public import Foundation

/// The state of a replica, and how far it is behind: see ``Realm/replicaState``.
public struct ReplicaState: Sendable, Equatable {
  /// The name of the version that is shown.
  public var version: String
  /// When that version came into the folder.
  public var publishedAt: Date
  /// When the newest transaction in it was sent by the primary; nil when the folder doesn't say.
  public var sentAt: Date?
  /// When the follower last knew that there was nothing newer; nil when it never said.
  public var checkedAt: Date?
  /// Why the newest version of the folder isn't shown, or the follower can't go on; nil when all is
  /// well.
  public var problem: RealmError?

  package init(
    version: String, publishedAt: Date, sentAt: Date? = nil, checkedAt: Date? = nil,
    problem: RealmError? = nil
  ) {
    self.version = version
    self.publishedAt = publishedAt
    self.sentAt = sentAt
    self.checkedAt = checkedAt
    self.problem = problem
  }

  /// How old the state may be that is shown: the time since ``checkedAt``, and less than zero
  /// never; nil when that isn't known, as where ``checkedAt`` is more than a minute after the date:
  /// a clock was wrong.
  public func lag(at date: Date = Date()) -> Duration? {
    guard let checkedAt else { return nil }
    let age = date.timeIntervalSince(checkedAt)
    return age < -Self.clockTolerance ? nil : .seconds(max(0, age))
  }

  /// How far the clocks of two machines may be apart, in seconds.
  private static let clockTolerance = 60.0
}
