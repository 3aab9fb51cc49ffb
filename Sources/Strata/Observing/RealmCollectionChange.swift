public import Foundation
import IssueReporting
import StrataQuery
import StrataStorage

/// A change, as an observer of a collection hears it.
public enum RealmCollectionChange<Collection> {
  /// The first call: the collection as it is.
  case initial(Collection)
  /// What changed since the last call.
  ///
  /// Positions are ascending; those of deletions and modifications are in the collection as it was,
  /// those of insertions in the collection as it is. An element that moved is a deletion and an
  /// insertion. Deleting from the last to the first, and then inserting from the first to the last,
  /// leads from the old collection to the new one.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
}

extension RealmCollectionChange {
  /// The positions of modified elements in the collection as it is now; nil for other cases than
  /// `update`.
  public var modificationsInNewVersion: [Int]? {
    guard case .update(_, let deletions, let insertions, let modifications) = self else {
      return nil
    }
    return ChangeSet(
      deletions: deletions, insertions: insertions, modifications: modifications
    ).modificationsInNewVersion
  }
}

/// A property that changed.
///
/// The values are those that `object["name"]` gives: of an enum its raw value, of an
/// `AnyRealmValue` what is in it.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before the change; nil for nil, and for lists, sets and maps.
  public let oldValue: Any?
  /// The value after the change; nil for nil, and for lists, sets and maps.
  public let newValue: Any?
}

/// A change, as an observer of an object hears it.
public enum ObjectChange<T> {
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
  /// Properties changed: the object, and each of them in the order of declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted; it is the last call.
  case deleted
}

/// A change, as an observer of a map hears it.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call: the map as it is.
  case initial(Collection)
  /// What changed since the last call: the keys that are gone, those that are new, and those with
  /// another value.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// Nothing can be read any more; it is the last call.
  case error(any Error)
}

/// A change, as an observer of sections, or of one section, hears it.
///
/// When nothing can be read any more, it hears no more: that is logged, and reported through
/// `IssueReporting`. An observer of the collection itself gets the error.
@frozen
public enum SectionedResultsChange<Collection> {
  /// The first call: the sections as they are.
  case initial(Collection)
  /// What changed since the last call.
  ///
  /// An index path has the position of a section and that of an element in it. Those of deletions
  /// and modifications, and sections to delete, are positions as they were; those of insertions,
  /// and sections to insert, as they are. The elements of a deleted section are not among the
  /// deletions; those of an inserted one are insertions. An object with another value of a property
  /// that the sections are sorted by is a deletion and an insertion, also where it keeps its place.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
