import StrataStorage

/// The objects whose rows a transaction has written, as long as these are few.
///
/// After the commit they need not be read again: nothing else was written.
struct WrittenObjects {
  private struct Row: Hashable {
    var table: Int
    var identity: Int64
  }

  private var objects: [(object: ObjectBase, row: Row)] = []
  private var areKnown = true

  private static let most = 64

  /// Notes objects whose values are those of their rows.
  ///
  /// - Returns: Those that are forgotten, to be released by the caller: code of the program may run
  ///   at their end, and write others.
  mutating func note(_ written: [ObjectBase], in table: Table) -> [ObjectBase] {
    guard areKnown, !written.isEmpty else { return [] }
    // A type of the program may read another value than it has stored.
    guard table.info.row.readsWhatIsWritten, objects.count + written.count <= Self.most else {
      areKnown = false
      defer { objects = [] }
      return objects.map(\.object)
    }
    for object in written {
      objects.append((object, Row(table: table.index, identity: object._rowID)))
    }
    return []
  }

  /// The objects that are as their rows are, after a commit that changed so many rows.
  ///
  /// None where SQLite changed others, by triggers and foreign keys for example, or a row was
  /// written several times, perhaps by another object.
  func current(changedRows: Int) -> [ObjectBase] {
    guard areKnown, objects.count == changedRows else { return [] }
    guard objects.count < 2 || Set(objects.map(\.row)).count == objects.count else { return [] }
    return objects.map(\.object)
  }
}
