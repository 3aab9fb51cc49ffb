import StrataStorage

/// The objects of some rows of a loop, which are used again for the next rows.
///
/// Making an object and freeing it costs as much as reading its row. An object is used again only
/// where this batch has the only reference to it, so that no program sees its object change into
/// another one.
final class ObjectBatch {
  let table: Table
  let session: Session
  private let reuses: Bool
  /// Those of this batch, and behind them what is left of the one before.
  @exclusivity(unchecked) private var objects: ContiguousArray<Unmanaged<ObjectBase>> = []
  @exclusivity(unchecked) private(set) var count = 0
  /// When the rows of this batch were read, or before it.
  @exclusivity(unchecked) private var stamp: UInt64 = 0
  /// How many rows of this batch came from within SQLite.
  @exclusivity(unchecked) private(set) var taken = 0
  /// This batch as SQLite hands rows to it.
  private lazy var receiver = RowFunction.Receiver(Unmanaged.passUnretained(self).toOpaque()) {
    batch, values in
    Unmanaged<ObjectBatch>.fromOpaque(batch)._withUnsafeGuaranteedRef {
      $0.take(RowValues(arguments: values))
    }
  }

  /// Enough to make the way to a connection cheap, few enough to be forgotten early.
  static let most = 128

  init(of table: Table, in session: Session) {
    self.table = table
    self.session = session
    reuses = table.info.objectsAreReusable && !session.isShared
  }

  deinit {
    for object in objects { object.release() }
  }

  /// The object at a position below ``count``.
  subscript(_ position: Int) -> ObjectBase { objects[position].takeUnretainedValue() }

  /// The identity of the last row; nil without one.
  var lastRow: Int64? { count > 0 ? self[count - 1]._rowID : nil }

  /// Leaves out what is behind the first of some rows that isn't there.
  func endBeforeGap(in rows: [Int64]) {
    guard count < rows.count else { return }
    count = (0..<count).first { self[$0]._rowID != rows[$0] } ?? count
  }

  /// Begins the next batch.
  func startOver() {
    count = 0
    taken = 0
  }

  /// Adds the object of a row, selected with the columns of the table, and returns its identity.
  @inline(__always)
  func append(_ row: RowValues, stamp: UInt64) -> Int64 {
    if let identity = refill(row, stamp) { return identity }
    let object = table.makeObject(row, in: session, stamp: stamp)
    append(object)
    return object._rowID
  }

  /// Fills the next object with a row, and returns its identity; nil when it can't be used again.
  @inline(__always)
  private func refill(_ row: RowValues, _ stamp: UInt64) -> Int64? {
    guard reuses, count < objects.count, ReferenceCounts.isOnlyReference(objects[count]) else {
      return nil
    }
    let identity = objects[count]._withUnsafeGuaranteedRef {
      table.refill($0, row, in: session, stamp: stamp)
    }
    if identity != nil { count += 1 }
    return identity
  }

  /// Adds an object.
  func append(_ object: ObjectBase) {
    let new = Unmanaged.passRetained(object)
    if count < objects.count {
      let old = objects[count]
      objects[count] = new
      old.release()
    } else {
      objects.append(new)
    }
    count += 1
  }
}

extension ObjectBatch {
  /// Whether SQLite may hand it rows: not while there are no objects to use again.
  var takesRows: Bool {
    reuses && !objects.isEmpty && !session.tracksReads && table.texts.selectTaken != nil
  }

  /// Has a statement hand its rows over.
  func receive(from statement: RawStatement, at index: Int32, stamp: UInt64) {
    self.stamp = stamp
    receiver.bind(to: statement, at: index)
  }

  /// Takes a row from within SQLite; false for one that the statement is to return.
  private func take(_ row: RowValues) -> Bool {
    // The statement returns the last row, to come to a halt.
    guard count < Self.most - 1, refill(row, stamp) != nil else { return false }
    taken += 1
    return true
  }
}
