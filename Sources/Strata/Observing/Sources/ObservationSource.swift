import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// The state of what is observed, in one snapshot.
enum SourceState: Sendable {
  /// The identities of the rows of results, in order.
  case rows([Int64])
  /// The elements of a list or a set; nil when its object was deleted.
  case elements([_StoredElement]?)
  /// The entries of a map; nil when its object was deleted.
  case entries([MapEntry]?)
  /// The columns of an object; nil when it was deleted.
  case object([StoredValue]?)
  /// All that is in the file: nothing of it is remembered.
  case everything
}

/// An entry of a map, as the file keeps it.
struct MapEntry: Sendable, Equatable {
  var key: String
  var element: _StoredElement
}

/// A change, as an observation hears it.
enum SourceChange: Sendable {
  /// The first state.
  case initial
  case elements(ChangeSet)
  /// The entries of a map, and the rows of objects that changed themselves.
  case entries(MapDifference, touched: RowSet)
  /// The properties that changed, or the parts of an ``ObjectSource``, with the columns of the
  /// object before and after.
  case properties([ObjectSource.PartName], old: [StoredValue], new: [StoredValue])
  /// What was touched of all that is in the file.
  case touched(CommitChanges)
  case deleted
  case failed(RealmError)
}

/// Something that can be observed: how its state is read, and what commits changed of it.
///
/// A value without a session. It is used on the library's own queue, with a snapshot's connection.
protocol ObservationSource: Sendable {
  /// Sources with the same key are the same in each snapshot: their work is shared.
  var key: String { get }

  /// Where changes of objects come from that are reached: ``CommitChanges/reached`` has them.
  var regions: [ChangedObjects] { get }

  /// The classes of which it must be known which properties are set, beside those of the regions.
  var classesWithProperties: Set<String> { get }

  /// The list of which it must be known how it is edited.
  var list: CollectionKey? { get }

  /// The tables whose rows it depends on, beside those of the regions.
  var tables: Set<String> { get }

  func state(_ db: Database) throws -> SourceState

  /// The state after some changes, and how it differs; nil when nothing did that matters.
  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) throws -> (state: SourceState, change: SourceChange?)
}
