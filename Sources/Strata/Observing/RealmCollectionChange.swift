import StrataQuery

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
