public import Foundation
import StrataQuery
import StrataStorage

/// A collection whose changes can be observed.
public protocol _ObservableCollection {
  /// The change that an observer receives.
  associatedtype _Change
  /// The type whose properties key paths name.
  associatedtype _ObservedElement

  /// Returns a sequence of the collection as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`; nil for all.
  func changes(keyPaths: [String]?) -> ChangeSequence<_Change>
}

/// The inputs of the observation of an object, or of a projection of one.
public struct _ObjectObservation {
  let session: Session
  let source: () throws(RealmError) -> any ObservationSource
  /// Returns what a session shows, and its changes; nil if the object was deleted there.
  let read:
    (_ changed: [ObjectSource.PartName], _ old: [StoredValue], _ new: [StoredValue], Session) -> (
      shown: AnyObject, changes: [PropertyChange]
    )?
}

/// A change that an observer of a collection receives.
public enum RealmCollectionChange<Collection> {
  /// The first call, with the current collection.
  case initial(Collection)
  /// The changes since the previous call.
  ///
  /// Positions are ascending. Deletions and modifications are positions in the old collection,
  /// insertions in the new one. An element that moved is both a deletion and an insertion. Deleting
  /// from the last to the first, and then inserting from the first to the last, turns the old
  /// collection into the new one.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The file can't be read any more. This is the last call.
  case error(any Error)
}

extension RealmCollectionChange {
  /// The positions of modified elements in the new collection; nil for cases other than `update`.
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
/// The values are the ones that `object["name"]` returns: the raw value of an enum, the content of
/// an `AnyRealmValue`.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before the change; nil also for lists, sets and maps.
  public let oldValue: Any?
  /// The value after the change; nil also for lists, sets and maps.
  public let newValue: Any?
}

/// A change that an observer of an object receives.
public enum ObjectChange<T> {
  /// The file can't be read any more. This is the last call.
  case error(any Error)
  /// The object, with its changed properties in the order of declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted. This is the last call.
  case deleted
}

/// A change that an observer of a map receives.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call, with the current map.
  case initial(Collection)
  /// The changes since the previous call: deleted keys, inserted keys, and keys with a new value.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// The file can't be read any more. This is the last call.
  case error(any Error)
}

/// A change that an observer of sections, or of one section, receives.
///
/// If the file can't be read any more, the error is logged and reported through `IssueReporting`,
/// and no further change is delivered. An observer of the collection itself gets the error.
@frozen
public enum SectionedResultsChange<Collection> {
  /// The first call, with the current sections.
  case initial(Collection)
  /// The changes since the previous call.
  ///
  /// An index path consists of the position of a section and the position of an element in it.
  /// Deletions, modifications and deleted sections have positions in the old sections; insertions
  /// and inserted sections have positions in the new ones. The elements of a deleted section are
  /// not among the deletions; the elements of an inserted section are among the insertions. If a
  /// property that the sections are sorted by changes, the object is both a deletion and an
  /// insertion, even if its position stays the same.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
