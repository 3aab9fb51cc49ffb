import Foundation
import GRDB

/// The answer of a file to the question whether it can be written.
package enum WriteProbe: Sendable {
  /// Others write, and didn't end in time.
  case busy
  /// A transaction could begin; the file is at that schema version.
  case ready(version: UInt64?)
}

extension WriteConnection {
  /// Begins a transaction, as soon as others let it, and rolls it back.
  ///
  /// - Throws: ``RealmError`` when the file can't be read or written.
  package func probe(until end: ContinuousClock.Instant) throws(RealmError) -> WriteProbe {
    guard waited(until: end, for: queue.enterAtOnce) else { return .busy }
    defer { queue.leave() }
    repeat {
      let version = try use { db, _ -> UInt64?? in
        guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return nil }
        let version = Result {
          try checkHasNotMoved(db)
          return try VersionTable.current(db, at: url)?.version
        }
        try db.rollback()
        return .some(try version.get())
      }
      if let version { return .ready(version: version) }
      usleep(Self.pause)
    } while ContinuousClock.now < end
    return .busy
  }

  private func waited(until end: ContinuousClock.Instant, for condition: () -> Bool) -> Bool {
    while !condition() {
      guard ContinuousClock.now < end else { return false }
      usleep(Self.pause)
    }
    return true
  }

  /// In microseconds.
  private static let pause: UInt32 = 2_000
}
