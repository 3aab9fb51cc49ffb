import StrataQuery
import StrataStorage

/// The identities of the rows of a query, for access by position; read again when they may differ.
struct RowList: Sendable {
  /// The moment at which they were read.
  struct Moment: Sendable, Equatable {
    var time: UInt64
    /// Counts everything that the list depends on.
    var changes: UInt64
  }

  private var rows = RowSequence()
  private var moment: Moment?

  /// The rows, if they are those of a moment.
  func rows(at moment: Moment) -> RowSequence? { self.moment == moment ? rows : nil }

  mutating func keep(_ rows: RowSequence, _ moment: Moment) {
    self.rows = rows
    self.moment = moment
  }
}

extension RowList.Moment {
  /// Inside of a transaction only changes of what the query reads count: a loop that changes each
  /// object by its position must not read the list again each time.
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
    // Which objects link is a matter of their values.
    case .linking: changes += counts.values
    }
    for read in query.sql.reads { changes += transaction.changes(of: read, session.store) }
    return Self(
      time: transaction.firstStamp, changes: changes + transaction.watched.changes)
  }
}

extension WriteTransaction {
  /// A number that grows when what a query reads may have changed. Changes of properties are
  /// counted together, from now on.
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

/// Objects that were read before they were asked for: those behind the last ones, for programs that
/// go through results by position.
///
/// As long as nothing is committed or changed. It looks ahead as far as the program followed it,
/// and no farther than some objects: reading one alone takes four times as long as in a row.
struct ObjectWindow {
  private var objects: ContiguousArray<ObjectBase> = []
  private var first = 0
  private var moment: RowList.Moment?
  private var length = 1

  /// The object at a position: nil when it isn't among those that were read, or they may have
  /// changed since.
  func object(at position: Int, _ now: RowList.Moment) -> ObjectBase? {
    let index = position - first
    return moment == now && objects.indices.contains(index) ? objects[index] : nil
  }

  /// The positions to read when one isn't there.
  mutating func positions(from position: Int, _ now: RowList.Moment) -> Range<Int> {
    let follows = position == first + objects.count && moment == now
    length = follows ? min(length * 2, ObjectCursor.batch) : 1
    return position..<position + length
  }

  /// Keeps other objects, and gives up those before.
  mutating func exchange(
    _ objects: inout ContiguousArray<ObjectBase>, from position: Int, _ moment: RowList.Moment
  ) {
    swap(&self.objects, &objects)
    first = position
    self.moment = moment
  }
}
