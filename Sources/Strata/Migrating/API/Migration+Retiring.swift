extension Migration {
  /// Removes the values that earlier versions have kept for programs older than a version: see
  /// ``RealmConfiguration/retiresRemovedProperties``.
  ///
  /// ```swift
  /// // No release before version 4 is running any more.
  /// migration.dropRetired(olderThan: 4)
  /// ```
  /// Programs of these versions can't open the file afterwards. Properties that were removed later
  /// than in `version` stay. SQLite may have to rebuild the tables.
  public func dropRetired(olderThan version: UInt64) {
    context.dropRetired(olderThan: version)
  }
}
