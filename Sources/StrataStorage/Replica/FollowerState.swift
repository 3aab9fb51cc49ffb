public import Foundation

/// The contents of `state.json`: the knowledge of a replica's writer about the original.
package struct FollowerState: Sendable, Hashable, Codable {
  /// The location of the original, without user names and passwords.
  package var source: String
  /// The name of the newest publication.
  package var position: String?
  /// The time at which the original sent the newest transaction in it.
  package var sentAt: Date?
  package var publishedAt: Date?
  /// The newest known transaction of the original.
  package var newestPosition: String?
  /// The last time at which nothing newer than the newest publication was known to exist.
  package var checkedAt: Date?
  /// The reason why the writer can't continue; nil if there is no problem.
  package var problem: String?
  /// The code of that problem; nil for any other one.
  package var problemCode: Int?

  /// Returns the problem as an error; nil for none.
  func error(at folder: URL) -> RealmError? {
    problem.map {
      RealmError(
        problemCode.map(RealmError.Code.init(rawValue:)) ?? .fileAccess, $0, fileURL: folder)
    }
  }

  package mutating func setProblem(_ error: RealmError?) {
    problem = error?.message
    problemCode = error?.code.rawValue
  }

  package init(source: String) {
    self.source = source
  }

  private enum Key: String, CodingKey {
    case source, position, sentAt, publishedAt, newestPosition, checkedAt, problem, problemCode
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
    problemCode = try container.decodeIfPresent(Int.self, forKey: .problemCode)
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
    try container.encodeIfPresent(problemCode, forKey: .problemCode)
  }

  /// Returns a time to the millisecond.
  private static func text(_ date: Date) -> String {
    String((DateText.encode(date) ?? "").prefix(23))
  }
}

extension ReplicaFolder {
  private static let longestState = 65_536

  /// Returns the state that the writer of the folder has stored; nil if missing, or if its
  /// format is unknown.
  package func state() -> FollowerState? {
    do {
      guard let bytes = try PlainFile.contents(of: stateFile, atMost: Self.longestState) else {
        return nil
      }
      return try JSONDecoder().decode(FollowerState.self, from: Data(bytes))
    } catch {
      // The state only describes the publications, which are valid without it.
      return nil
    }
  }

  package func write(_ state: FollowerState) throws {
    try PlainFile.replace(stateFile, with: JSONEncoder.text(of: state) + "\n")
  }
}

/// The state of a replica and its lag: see ``Realm/replicaState``.
public struct ReplicaState: Sendable, Equatable {
  /// The name of the shown version.
  public var version: String
  /// The time at which that version was published in the folder.
  public var publishedAt: Date
  /// The time at which the primary sent the newest transaction in it; nil if the folder doesn't
  /// say.
  public var sentAt: Date?
  /// The last time at which the follower knew of nothing newer; nil if never.
  public var checkedAt: Date?
  /// The reason why the newest version of the folder isn't shown, or why the follower can't
  /// continue; nil if there is no problem.
  public var problem: RealmError?

  /// Returns the greatest possible age of the shown state: the time since ``checkedAt``, at least
  /// zero. Returns nil if unknown, or if ``checkedAt`` is more than a minute after the date,
  /// because a clock was wrong.
  public func lag(at date: Date = Date()) -> Duration? {
    guard let checkedAt else { return nil }
    let age = date.timeIntervalSince(checkedAt)
    return age < -Self.clockTolerance ? nil : .seconds(max(0, age))
  }

  /// The tolerated difference between the clocks of two machines, in seconds.
  private static let clockTolerance = 60.0
}
