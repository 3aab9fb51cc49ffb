public import Foundation

/// The contents of `state.json`: what the writer of a replica knows of the original.
package struct FollowerState: Sendable, Hashable, Codable {
  /// Where the original is, without user names and passwords.
  package var source: String
  /// The name of the newest publication.
  package var position: String?
  /// When the newest transaction in it was sent by the original.
  package var sentAt: Date?
  package var publishedAt: Date?
  /// The newest transaction of the original, as far as that is known.
  package var newestPosition: String?
  /// When it was last known that there is nothing newer than the newest publication.
  package var checkedAt: Date?
  /// Why the writer can't go on; nil when all is well.
  package var problem: String?

  package init(source: String) {
    self.source = source
  }

  private enum Key: String, CodingKey {
    case source, position, sentAt, publishedAt, newestPosition, checkedAt, problem
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) throws -> String? {
      try container.decodeIfPresent(String.self, forKey: key)
    }
    source = try text(.source) ?? ""
    position = try text(.position)
    newestPosition = try text(.newestPosition)
    problem = try text(.problem)
    sentAt = try text(.sentAt).flatMap { DateText.decode($0) }
    publishedAt = try text(.publishedAt).flatMap { DateText.decode($0) }
    checkedAt = try text(.checkedAt).flatMap { DateText.decode($0) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(source, forKey: .source)
    try container.encode(position, forKey: .position)
    try container.encode(sentAt.map(Self.text), forKey: .sentAt)
    try container.encode(publishedAt.map(Self.text), forKey: .publishedAt)
    try container.encode(newestPosition, forKey: .newestPosition)
    try container.encode(checkedAt.map(Self.text), forKey: .checkedAt)
    try container.encode(problem, forKey: .problem)
  }

  /// To the millisecond.
  private static func text(_ date: Date) -> String {
    String((DateText.encode(date) ?? "").prefix(23))
  }
}

extension ReplicaFolder {
  private static let longestState = 65_536

  /// The state that the writer of the folder has left; nil when there is none, or none of this
  /// form.
  package func state() -> FollowerState? {
    do {
      guard let bytes = try PlainFile.contents(of: stateFile, atMost: Self.longestState) else {
        return nil
      }
      return try JSONDecoder().decode(FollowerState.self, from: Data(bytes))
    } catch {
      // It is a remark on the publications, which are good without it.
      return nil
    }
  }

  package func write(_ state: FollowerState) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(state), as: UTF8.self)
    try PlainFile.replace(stateFile, with: text + "\n")
  }
}

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
