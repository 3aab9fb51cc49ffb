package import Foundation

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
