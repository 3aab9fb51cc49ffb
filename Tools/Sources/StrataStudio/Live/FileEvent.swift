package import Foundation

/// An event of the file while the page shows it.
package enum FileEvent: Sendable, Hashable {
  /// Somebody has committed; the number counts the commits that were seen.
  case commit(version: Int)
  /// Another program has migrated the file, or put another one in its place.
  case schema(version: UInt64, since: Date, isReplaced: Bool)
  /// The file of Realm isn't any more what its copy shows.
  case outdated(message: String, canLoadAgain: Bool)
  /// Another copy of the file of Realm is shown: all that was read is of the one before.
  case copied(version: Int)
  /// How far a long work is, from 0 to 1; nil for unknown.
  case progress(what: String, fraction: Double?)
  /// The studio can't go on.
  case ended(reason: String)

  /// The name and the data of the event on the wire.
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
