/// An event of the file while the page shows it.
package enum FileEvent: Sendable, Hashable {
  /// Somebody has committed; the number counts the commits that were seen.
  case commit(version: Int)
  /// Another program has migrated the file.
  case schema(version: UInt64)
  /// The file of Realm isn't any more what its copy shows; the message says what to do.
  case outdated(message: String)
  /// How far a long work is, from 0 to 1; nil for unknown.
  case progress(what: String, fraction: Double?)
  /// The studio can't go on.
  case ended(reason: String)

  /// The name and the data of the event on the wire.
  var wire: (name: String, data: JSONValue) {
    switch self {
    case .commit(let version): ("commit", ["version": .int(version)])
    case .schema(let version): ("schema", ["schemaVersion": .int(Int64(clamping: version))])
    case .outdated(let message): ("outdated", ["message": .text(message)])
    case .progress(let what, let fraction):
      ("progress", ["what": .text(what), "fraction": .optional(fraction) { .number($0) }])
    case .ended(let reason): ("ended", ["reason": .text(reason)])
    }
  }
}
