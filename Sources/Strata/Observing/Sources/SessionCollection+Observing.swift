import StrataStorage

extension SessionCollection {
  /// Returns the source of an observation of the collection.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an invalid key path, or for a key path when the
  ///   elements are not objects.
  func observedSource(keyPaths: [String]?) throws(RealmError) -> any ObservationSource {
    let store = session.store
    var objects: ChangedObjects?
    if let className = table.info.property.objectClassName {
      objects = try ChangedObjects(store.tableSet, className, keyPaths: keyPaths)
    } else if let keyPath = keyPaths?.first {
      throw RealmError(
        .fail,
        "The key path '\(keyPath)' can't be observed: '\(table.info.className)."
          + "\(table.info.property.name)' holds no objects of one class. Observe it without key paths.",
        fileURL: store.file.url)
    }
    if table.info.kind == .map {
      return MapSource(
        info: table.info, ownerTable: ownerTable, owner: table.owner, objects: objects)
    }
    return CollectionSource(
      info: table.info, ownerTable: ownerTable, owner: table.owner, objects: objects)
  }

  /// Returns the same collection in another session of the store.
  func shown(in other: Session) -> SessionCollection {
    SessionCollection(other, ownerTable, table.info, owner: table.owner)
  }
}

extension ResultsSource {
  /// Creates the source of a query's results.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an invalid key path.
  init(
    _ query: ObjectQuery, _ tableSet: TableSet, keyPaths: [String]?
  ) throws(RealmError) {
    let objects = try ChangedObjects(tableSet, query.table.info.className, keyPaths: keyPaths)
    self.init(query, objects)
  }
}
