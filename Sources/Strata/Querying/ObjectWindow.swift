import StrataQuery
import StrataStorage

extension _CollectionRows.Stamp {
  /// Creates the present stamp of objects. Changes of collections may change which rows a query
  /// has, but neither the objects nor the clock.
  init(objectsIn session: Session) {
    self.init(time: session.clock.now, changes: session.transaction?.changesOfCollections ?? 0)
  }

  /// Creates the present stamp of a query's rows. Inside of a transaction, only changes of data
  /// that the query reads count: a loop that changes each object by position must not read the list
  /// each time.
  init(rowsOf query: ObjectQuery, in session: Session) {
    guard let transaction = session.transaction else {
      self.init(time: session.clock.now, changes: 0)
      return
    }
    let counts = transaction.changeCounts(of: query.table)
    var changes = counts.members
    switch query.source {
    case .all: break
    case .collection(let info, _), .containing(let info, _):
      changes += transaction.changes(ofAll: info)
    // The values of the links decide which objects link.
    case .linking: changes += counts.values
    }
    for read in query.sql.reads { changes += transaction.changes(of: read, session.store) }
    self.init(
      time: transaction.firstStamp, changes: changes + transaction.watched.changes)
  }
}

extension WriteTransaction {
  /// Returns a counter that grows when the data of a read may have changed. From the first call on,
  /// changes of the property are counted.
  fileprivate func changes(of read: QueryRead, _ store: Store) -> UInt64 {
    switch read {
    case .rows(let className):
      return store.table(className: className).map { changeCounts(of: $0).members } ?? 0
    case .property(let property):
      guard let table = store.table(className: property.className),
        let slot = table.info.slot(property.property.name)
      else { return 0 }
      if let collection = table.collections[slot] { return changes(ofAll: collection) }
      watched.watch(slot, in: table)
      return changeCounts(of: table).members
    }
  }
}

/// A cache of objects for programs that access results by position: the objects after the last one
/// are read ahead.
///
/// The cache is valid until something is committed or changed. It reads ahead only as far as the
/// program has accessed consecutive positions, up to a limit: reading an object alone takes four
/// times as long as reading it within a batch.
struct ObjectWindow {
  private var objects: ContiguousArray<ObjectBase> = []
  private var first = 0
  private var stamp: _CollectionRows.Stamp?
  private var length = 1

  /// Returns the object at a position; nil if it isn't cached, or may have changed since.
  func object(at position: Int, _ now: _CollectionRows.Stamp) -> ObjectBase? {
    let index = position - first
    return stamp == now && objects.indices.contains(index) ? objects[index] : nil
  }

  /// Returns the positions to read for a position that isn't cached.
  mutating func positions(from position: Int, _ now: _CollectionRows.Stamp) -> Range<Int> {
    let follows = position == first + objects.count && stamp == now
    length = follows ? min(length * 2, ObjectCursor.batch) : 1
    return position..<position + length
  }

  /// Caches other objects. Returns the previous ones through `objects`.
  mutating func exchange(
    _ objects: inout ContiguousArray<ObjectBase>, from position: Int, _ stamp: _CollectionRows.Stamp
  ) {
    swap(&self.objects, &objects)
    first = position
    self.stamp = stamp
  }
}
