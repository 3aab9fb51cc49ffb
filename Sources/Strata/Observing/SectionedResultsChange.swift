public import Foundation
import IssueReporting
import StrataQuery
import StrataStorage

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
