/// The objects of some rows of a loop, which are used again for the next rows.
///
/// Making an object and freeing it costs as much as reading its row. An object is used again only
/// where this batch has the only reference to it, so that no program sees its object change into
/// another one.
final class ObjectBatch {
  private let table: Table
  private let session: Session
  private let reuses: Bool
  /// Those of this batch, and behind them what is left of the one before.
  @exclusivity(unchecked) private var objects: ContiguousArray<Unmanaged<ObjectBase>> = []
  @exclusivity(unchecked) private(set) var count = 0

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

  /// Begins the next batch.
  func startOver() { count = 0 }

  /// Adds the object of the current row, selected with the columns of the table, and returns its
  /// identity.
  @inline(__always)
  func append(_ statement: OpaquePointer, stamp: UInt64) -> Int64 {
    if reuses, count < objects.count, ReferenceCounts.isOnlyReference(objects[count]) {
      let row = objects[count]._withUnsafeGuaranteedRef {
        table.refill($0, statement, in: session, stamp: stamp)
      }
      if let row {
        count += 1
        return row
      }
    }
    let object = table.makeObject(statement, in: session, stamp: stamp)
    append(object)
    return object._rowID
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
