package import Foundation

/// The name of a publication: the place of its contents in the history of the original, and how
/// often that has gone back before.
///
/// `000000000000001b` is a position of Litestream, `20261122T200000.123456Z` a time. Where a name
/// was in use before, because the original was restored to an earlier state, the same place has the
/// name `000000000000001b-2`, then `-3`: no name is ever used twice, so that a reader that knows a
/// name knows the contents.
package struct PublicationName: Hashable, Sendable, CustomStringConvertible {
  /// The place: names of one kind and of the same turn ascend with it.
  package let base: String
  /// From 1 on; higher after each return to an earlier place.
  package let turn: Int

  /// - Returns: Nil for a text that can't be a name: it would lead out of the folder, say.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let first = text.utf8.first,
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

  /// The name for a position of Litestream.
  package init(position: UInt64) {
    let digits = String(position, radix: 16)
    self.init(base: String(repeating: "0", count: 16 - digits.count) + digits, turn: 1)
  }

  /// The name for a time.
  package init(time: Date) {
    let text = DateText.encode(time) ?? DateText.encode(Date(timeIntervalSince1970: 0)) ?? ""
    let digits = text.prefix(26).filter { $0 != "-" && $0 != ":" }
    self.init(base: digits.replacing(" ", with: "T") + "Z", turn: 1)
  }

  /// The same place, with a turn in which it is new.
  ///
  /// - Parameters:
  ///   - current: The newest publication; nil when there is none.
  ///   - isTaken: Whether a file of a name is there.
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

  /// Whether it says a position or a time, as each name does that the library gives.
  package var saysPlace: Bool {
    base.wholeMatch(of: /[0-9a-f]{16}/) != nil
      || base.wholeMatch(of: /[0-9]{8}T[0-9]{6}\.[0-9]{6}Z/) != nil
  }

  package var description: String { turn == 1 ? base : "\(base)-\(turn)" }

  /// The name of the file.
  package var fileName: String { "\(self).\(Self.fileExtension)" }

  package static let fileExtension = "sqlite"

  private static let longest = 100

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// The rule which publications stay.
package struct PublicationRetention: Sendable, Hashable {
  /// How many of the newest ones.
  package var newest: Int
  /// In seconds since another one came after it: who has just read its name finds it.
  package var grace: TimeInterval = 60
  /// Nil where none stay for the past.
  package var archive: Archive?

  /// One publication for each period, for as long as it is wanted.
  package struct Archive: Sendable, Hashable {
    /// In seconds.
    package var period: TimeInterval
    /// In seconds.
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

  /// The publications that need not stay.
  ///
  /// - Parameters:
  ///   - entries: All, in the order in which they came.
  ///   - current: The newest one, which always stays.
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

  /// Whether it is the last one of its period.
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
