import StrataQuery
import Synchronization

/// A collection of one object, in a file.
struct CollectionKey: Hashable, Sendable {
  var table: String
  var owner: Int64
}

/// What a session knows of its own changes beyond the rows that they touched.
struct CommitDetails: Sendable {
  /// The properties that were set, by class and row: bits of ``WatchedValues``.
  var properties: [String: [Int64: UInt64]] = [:]
  /// How lists were edited; nil for one that was changed in ways that can't be told.
  var edits: [CollectionKey: ListEdits?] = [:]
  /// The observations that shall not hear of it.
  var silenced: Set<ObjectIdentifier> = []
  /// Where the session wants to find which rows its transaction has touched.
  var rows: Rows?

  /// The rows that a transaction has touched, for the session that commits.
  final class Rows: Sendable {
    private let changes = Mutex<NotedChanges?>(nil)

    /// Nil when that isn't known.
    var noted: NotedChanges? { changes.withLock { $0 } }

    func note(_ noted: NotedChanges?) { changes.withLock { $0 = noted } }
  }
}

/// A new version of a file.
struct Commit: Sendable {
  let snapshot: Snapshot
  /// The rows that were touched since the version before; nil when only comparing can tell.
  let changes: NotedChanges?
  let details: CommitDetails
}

/// What hears of the versions of a store.
///
/// It is called in their order, before the next one can be made, and must return at once.
protocol CommitReceiver: AnyObject, Sendable {
  /// Whether anything is observed.
  var isActive: Bool { get }

  /// Whether it must know which properties of objects of a class are set.
  func observesProperties(of className: String) -> Bool

  /// Whether it must know how a list is edited.
  func observes(_ list: CollectionKey) -> Bool

  func receive(_ commit: Commit)

  /// A version could not be kept: what comes next must be compared with the one before.
  func missed(_ error: any Error)

  /// Nothing can be read any more.
  func failed(_ error: RealmError)
}
