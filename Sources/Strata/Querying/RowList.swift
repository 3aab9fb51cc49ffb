import StrataQuery
import StrataStorage

/// The row identities of a query, for access by position. Read again when they may have changed.
struct RowList: Sendable {
  /// The moment at which the rows were read.
  struct Moment: Sendable, Equatable {
    var time: UInt64
    /// A counter of the changes that affect the list.
    var changes: UInt64
  }

  private var rows = RowSequence()
  private var moment: Moment?

  func rows(at moment: Moment) -> RowSequence? { self.moment == moment ? rows : nil }

  mutating func keep(_ rows: RowSequence, _ moment: Moment) {
    self.rows = rows
    self.moment = moment
  }
}

extension RowList.Moment {
  /// Returns the current moment of a query. Inside of a transaction, only changes of data that the
  /// query reads count: a loop that changes each object by position must not read the list each
  /// time.
  static func now(_ query: ObjectQuery, _ session: Session) -> Self {
    guard let transaction = session.transaction else {
      return Self(time: session.clock.now, changes: 0)
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
    return Self(
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
  private var moment: RowList.Moment?
  private var length = 1

  /// Returns the object at a position; nil if it isn't cached, or may have changed since.
  func object(at position: Int, _ now: RowList.Moment) -> ObjectBase? {
    let index = position - first
    return moment == now && objects.indices.contains(index) ? objects[index] : nil
  }

  /// Returns the positions to read for a position that isn't cached.
  mutating func positions(from position: Int, _ now: RowList.Moment) -> Range<Int> {
    let follows = position == first + objects.count && moment == now
    length = follows ? min(length * 2, ObjectCursor.batch) : 1
    return position..<position + length
  }

  /// Caches other objects. Returns the previous ones through `objects`.
  mutating func exchange(
    _ objects: inout ContiguousArray<ObjectBase>, from position: Int, _ moment: RowList.Moment
  ) {
    swap(&self.objects, &objects)
    first = position
    self.moment = moment
  }
}
