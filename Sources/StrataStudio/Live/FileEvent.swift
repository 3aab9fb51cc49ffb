/// An event of the file while the page shows it.
package enum FileEvent: Sendable, Hashable {
  /// Somebody has committed; the number counts the commits that were seen.
  case commit(version: Int)
  /// Another program has migrated the file.
  case schema(version: UInt64)
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
    case .schema(let version): ("schema", ["schemaVersion": .int(Int64(clamping: version))])
    case .outdated(let message, let canLoadAgain):
      ("outdated", ["message": .text(message), "canLoadAgain": .bool(canLoadAgain)])
    case .copied(let version): ("copied", ["version": .int(version)])
    case .progress(let what, let fraction):
      ("progress", ["what": .text(what), "fraction": .optional(fraction) { .number($0) }])
    case .ended(let reason): ("ended", ["reason": .text(reason)])
    }
  }
}
