package import Foundation
import StrataSchema

/// The name of a publication: the position of its contents in the history of the original, and the
/// number of times that the position has gone back before.
///
/// `000000000000001b` is a position of Litestream, `20261122T200000.123456Z` a time. If the
/// original is restored to an earlier state, a position may occur again. Its name is then
/// `000000000000001b-2`, then `-3`. No name is ever used twice, so the same name always means the
/// same contents.
package struct PublicationName: Hashable, Sendable, CustomStringConvertible {
  /// The position. Names of one kind and of the same turn are in the order of their positions.
  package let base: String
  /// 1 at first; higher after each return to an earlier position.
  package let turn: Int

  /// - Returns: Nil for an invalid name, for example a path outside of the folder.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maxLength, let first = text.utf8.first,
      Self.isLetter(first), text.utf8.allSatisfy({ Self.isLetter($0) || ".-_".utf8.contains($0) })
    else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, let turn = Int(parts[1]), turn > 1, "\(turn)" == parts[1] {
      (base, self.turn) = (String(parts[0]), turn)
    } else {
      (base, turn) = (text, 1)
    }
  }

  private init(base: String, turn: Int) {
    (self.base, self.turn) = (base, turn)
  }

  /// Creates the name for a position of Litestream.
  package init(position: UInt64) {
    self.init(base: hexDigits(of: position), turn: 1)
  }

  package init(time: Date) {
    let text = DateText.encode(time) ?? DateText.encode(Date(timeIntervalSince1970: 0)) ?? ""
    let digits = text.prefix(26).filter { $0 != "-" && $0 != ":" }
    self.init(base: digits.replacing(" ", with: "T") + "Z", turn: 1)
  }

  /// Returns the name of the same position, with an unused turn.
  ///
  /// - Parameters:
  ///   - current: The newest publication; nil if the folder has no publication.
  ///   - isTaken: Whether a file with a name exists.
  package func following(
    _ current: PublicationName?, isTaken: (PublicationName) -> Bool
  ) -> PublicationName {
    var name = self
    if let current {
      name = PublicationName(
        base: base, turn: base > current.base ? current.turn : current.turn + 1)
    }
    while isTaken(name) { name = PublicationName(base: base, turn: name.turn + 1) }
    return name
  }

  /// Whether the name contains a position or a time, like all names that the library assigns.
  package var hasPosition: Bool {
    base.wholeMatch(of: /[0-9a-f]{16}/) != nil
      || base.wholeMatch(of: /[0-9]{8}T[0-9]{6}\.[0-9]{6}Z/) != nil
  }

  package var description: String { turn == 1 ? base : "\(base)-\(turn)" }

  package var fileName: String { "\(self).\(Self.fileExtension)" }

  package static let fileExtension = "sqlite"

  private static let maxLength = 100

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// The rule that decides which publications are kept.
package struct PublicationRetention: Sendable, Hashable {
  /// The number of newest publications to keep.
  package var newest: Int
  /// The seconds for which a replaced publication is kept, so that a reader that has just read its
  /// name finds it.
  package var grace: TimeInterval = 60
  /// The rule for older publications; nil to keep none.
  package var archive: Archive?

  /// One publication for each period, up to an age.
  package struct Archive: Sendable, Hashable {
    /// The length of a period in seconds.
    package var period: TimeInterval
    /// The greatest age in seconds.
    package var age: TimeInterval

    package init(period: TimeInterval, age: TimeInterval) {
      self.period = period
      self.age = age
    }
  }

  package init(newest: Int = 2, archive: Archive? = nil) {
    self.newest = newest
    self.archive = archive
  }

  /// Returns the publications that need not be kept.
  ///
  /// - Parameter current: The newest one, which is always kept.
  package func superfluous(
    of entries: [ReplicaFolder.Entry], _ current: PublicationName, at now: Date
  ) -> [PublicationName] {
    entries.enumerated().filter { index, entry in
      guard entry.name != current, index < entries.count - newest else { return false }
      guard index + 1 < entries.count else { return false }
      let next = entries[index + 1]
      if now.timeIntervalSince(next.publishedAt) < grace { return false }
      return !isArchived(entry, before: next, at: now)
    }.map(\.element.name)
  }

  /// Whether the publication is the last one of its period.
  private func isArchived(
    _ entry: ReplicaFolder.Entry, before next: ReplicaFolder.Entry, at now: Date
  ) -> Bool {
    guard let archive, now.timeIntervalSince(entry.publishedAt) < archive.age else { return false }
    return number(entry.publishedAt, archive) != number(next.publishedAt, archive)
  }

  private func number(_ date: Date, _ archive: Archive) -> Double {
    (date.timeIntervalSince1970 / archive.period).rounded(.down)
  }
}
