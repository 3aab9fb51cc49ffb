import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

enum SourceState: Sendable {
  /// The identities of the rows of results, in order.
  case rows([Int64])
  /// The elements of a list or a set; nil if its object was deleted.
  case elements([_StoredElement]?)
  /// The entries of a map; nil if its object was deleted.
  case entries([MapEntry]?)
  /// The columns of an object; nil if the object was deleted.
  case object([StoredValue]?)
  /// The whole file, of which no state is kept.
  case everything
}

struct MapEntry: Sendable, Equatable {
  var key: String
  var element: _StoredElement
}

/// A change that an observation receives.
enum SourceChange: Sendable {
  /// The first state.
  case initial
  case elements(ChangeSet)
  /// The changed entries of a map, and the rows of objects that were modified themselves.
  case entries(MapDifference, touched: RowSet)
  /// The properties that changed, or the parts of an ``ObjectSource``, with the columns of the
  /// object before and after the change.
  case properties([ObjectSource.PartName], old: [StoredValue], new: [StoredValue])
  /// The changes of the whole file.
  case touched(CommitChanges)
  case deleted
  case failed(RealmError)
}

/// A source of changes: reads its state, and finds the changes of commits.
///
/// A source is a value without a session. It is used on the library's own queue, with the
/// connection of a snapshot.
protocol ObservationSource: Sendable {
  /// The key of the source. Sources with the same key are equal in each snapshot and share their
  /// work.
  var key: String { get }

  /// The regions of linked objects whose changes matter; ``CommitChanges/reached`` contains those
  /// changes.
  var regions: [ChangedObjects] { get }

  /// The classes whose set properties must be recorded, in addition to the classes of the regions.
  var classesWithProperties: Set<String> { get }

  /// The list whose edits must be recorded.
  var list: CollectionKey? { get }

  /// The tables that the source depends on, in addition to the tables of the regions.
  var tables: Set<String> { get }

  func state(_ db: Database) throws -> SourceState

  /// Returns the state after some changes, and its difference; nil if no observed change happened.
  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) throws -> (state: SourceState, change: SourceChange?)
}
