import GRDB
import StrataQuery
import StrataStorage

/// The elements of a list or a set, or the entries of a map.
struct CollectionSource: ObservationSource {
  let info: CollectionInfo
  let ownerTable: Table
  let owner: Int64
  /// The changed objects, if the elements are objects; otherwise nil.
  let objects: ChangedObjects?

  var key: String { "elements \(info.tableName) \(owner) \(objects?.key ?? "")" }
  var regions: [ChangedObjects] { objects.map { [$0] } ?? [] }
  var classesWithProperties: Set<String> { [] }
  var list: CollectionKey? { info.kind == .list ? collection : nil }
  var tables: Set<String> { [info.tableName, info.className] }

  private var collection: CollectionKey { CollectionKey(table: info.tableName, owner: owner) }

  func state(_ db: Database) throws -> SourceState {
    let exists = try ownerTable.contains(owner, db)
    let entries = exists ? try ElementTable(info: info, owner: owner).entries(db) : nil
    return info.kind == .map
      ? .entries(entries?.map { MapEntry(key: $0.key, element: $0.element) })
      : .elements(entries?.map(\.element))
  }

  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) throws -> (state: SourceState, change: SourceChange?) {
    let isTouched = changes.touches(collection)
    let isOwnerTouched = changes.rows(of: info.className).contains(owner)
    let modified = changes.reached(objects)
    if !isTouched, !isOwnerTouched, modified.isEmpty { return (state, nil) }
    let next = isTouched || isOwnerTouched ? try self.state(db) : state
    func isModified(_ element: _StoredElement) -> Bool {
      element.row(in: objects).map { modified.contains($0) } ?? false
    }
    switch (state, next) {
    case (.elements(let before?), .elements(let after?)):
      let changeSet =
        isTouched
        ? edited(before, after, changes, isModified)
          ?? SequenceDifference.elements(old: before, new: after, modified: isModified)
        : ChangeSet(
          deletions: [], insertions: [],
          modifications: before.indices.filter { isModified(before[$0]) })
      return (next, changeSet.isEmpty ? nil : .elements(changeSet))
    case (.elements(let before?), _):
      let all = ChangeSet(deletions: Array(before.indices), insertions: [], modifications: [])
      return (next, .elements(all))
    case (.entries(let before?), .entries(let after)):
      let difference = MapDifference(
        old: before.map { (key: $0.key, value: $0.element) },
        new: (after ?? []).map { (key: $0.key, value: $0.element) }, isTouched: isModified)
      guard after == nil || !difference.isEmpty else { return (next, nil) }
      return (next, .entries(difference, touched: modified))
    default: return (state, nil)
    }
  }

  /// Returns the recorded edits, if they lead from one state to the other; otherwise nil.
  private func edited(
    _ before: [_StoredElement], _ after: [_StoredElement], _ changes: CommitChanges,
    _ isModified: (_StoredElement) -> Bool
  ) -> ChangeSet? {
    guard let edits = changes.edits(of: collection), edits.leads(from: before, to: after) else {
      return nil
    }
    return withoutActuallyEscaping(isModified) { isModified in
      edits.changes { isModified(after[$0]) }
    }
  }
}

extension _StoredElement {
  /// The element's row, if the element is an object of the observed class.
  fileprivate func row(in objects: ChangedObjects?) -> Int64? {
    guard objects != nil, case .integer(let row) = value else { return nil }
    return row
  }
}

extension SessionCollection {
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
    return CollectionSource(
      info: table.info, ownerTable: ownerTable, owner: table.owner, objects: objects)
  }

  /// Returns the same collection in another session of the store.
  func shown(in other: Session) -> SessionCollection {
    SessionCollection(other, ownerTable, table.info, owner: table.owner)
  }
}

extension ResultsSource {
  init(
    _ query: ObjectQuery, _ tableSet: TableSet, keyPaths: [String]?
  ) throws(RealmError) {
    let objects = try ChangedObjects(tableSet, query.table.info.className, keyPaths: keyPaths)
    self.init(query, objects)
  }
}
