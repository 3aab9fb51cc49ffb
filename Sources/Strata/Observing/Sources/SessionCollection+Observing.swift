import StrataStorage

extension SessionCollection {
  /// What an observation of the collection looks at.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a key path that leads nowhere, and for one of
  ///   elements that are no objects.
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

  /// The same collection in another session of the store.
  func shown(in other: Session) -> SessionCollection {
    SessionCollection(other, ownerTable, table.info, owner: table.owner)
  }
}

extension ResultsSource {
  /// - Throws: ``RealmError`` with code `fail` for a key path that leads nowhere.
  init(
    _ query: ObjectQuery, _ tableSet: TableSet, keyPaths: [String]?
  ) throws(RealmError) {
    let objects = try ChangedObjects(tableSet, query.table.info.className, keyPaths: keyPaths)
    self.init(query, objects)
  }
}
