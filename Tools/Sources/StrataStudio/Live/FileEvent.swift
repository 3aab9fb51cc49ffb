package import Foundation

/// An event of the file while the page shows it.
package enum FileEvent: Sendable, Hashable {
  /// A connection has committed. The number counts the commits that were seen.
  case commit(version: Int)
  /// Another program has migrated the file, or replaced it.
  case schema(version: UInt64, since: Date, isReplaced: Bool)
  /// The file of Realm has changed since it was copied.
  case outdated(message: String, canLoadAgain: Bool)
  /// Another copy of the file of Realm is shown; earlier results are from the old copy.
  case copied(version: Int)
  /// The progress of a long operation from 0 to 1; nil if unknown.
  case progress(what: String, fraction: Double?)
  /// The studio can't continue.
  case ended(reason: String)

  /// The name and the data of the event as sent to the page.
  var wire: (name: String, data: JSONValue) {
    switch self {
    case .commit(let version): ("commit", ["version": .int(version)])
    case .schema(let version, let since, let isReplaced):
      (
        "schema",
        [
          "schemaVersion": .unsigned(version), "since": .number(since.timeIntervalSince1970),
          "replaced": .bool(isReplaced),
        ]
      )
    case .outdated(let message, let canLoadAgain):
      ("outdated", ["message": .text(message), "canLoadAgain": .bool(canLoadAgain)])
    case .copied(let version): ("copied", ["version": .int(version)])
    case .progress(let what, let fraction):
      ("progress", ["what": .text(what), "fraction": .optional(fraction) { .number($0) }])
    case .ended(let reason): ("ended", ["reason": .text(reason)])
    }
  }
}
