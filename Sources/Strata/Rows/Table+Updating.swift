import GRDB
import GRDBSQLite
import StrataStorage
import Synchronization

extension Table {
  /// Writes the changed properties of objects to their rows.
  ///
  /// One statement for several rows takes a third of the time of one for each.
  ///
  /// - Parameter run: Runs a statement.
  func update(
    _ objects: [ObjectBase], _ db: Database,
    _ run: (UpdateStatement, () throws -> Void) throws -> Void
  ) throws {
    var rest = ascending(objects)[...]
    while let first = rest.first {
      let group = rest.prefix(UpdateStatement.mostRows).prefix { $0._dirty == first._dirty }
      let rows = UpdateStatement.rows(of: group.count)
      try updateTogether(group.prefix(rows), slots: first._dirty, db, run)
      rest = rest.dropFirst(rows)
    }
  }

  /// The objects in the order of their rows.
  private func ascending(_ objects: [ObjectBase]) -> [ObjectBase] {
    var last = Int64.min
    for object in objects {
      guard object._rowID > last else { return objects.sorted { $0._rowID < $1._rowID } }
      last = object._rowID
    }
    return objects
  }

  /// Writes the same properties of several objects.
  private func updateTogether(
    _ objects: ArraySlice<ObjectBase>, slots: UInt64, _ db: Database,
    _ run: (UpdateStatement, () throws -> Void) throws -> Void
  ) throws {
    guard slots != 0, let first = objects.first, let last = objects.last else { return }
    let kind = UpdateStatement.Kind(
      slots: slots, rows: objects.count,
      isRange: last._rowID - first._rowID == objects.count - 1)
    let update = updates.withLock { known in
      if let update = known[kind] { return update }
      let made = UpdateStatement(kind, of: self)
      known[kind] = made
      return made
    }
    guard !update.slots.isEmpty else { return }
    let statement = try db.cachedStatement(sql: update.sql)
    try run(update) {
      try statement.runRaw {
        var index: Int32 = 1
        for object in objects {
          statement.bindRaw(object._rowID, at: index)
          try bind(object, slots: update.slots, to: statement.sqliteStatement, from: index + 1)
          index += Int32(update.columnCount) + 1
        }
      }
    }
  }
}

/// The statement that writes some properties of one row, or of several.
struct UpdateStatement {
  /// The properties that make statements differ.
  struct Kind: Hashable {
    /// The properties: bits of their slots.
    var slots: UInt64
    var rows: Int
    /// Whether the rows follow each other.
    var isRange: Bool
  }

  /// How many rows one statement writes at most.
  static let mostRows = 32
  /// Below this a statement for each is as fast.
  private static let fewRows = 8

  /// The properties that it writes, as bits of their slots.
  let bits: UInt64
  let slots: [Int]
  let columnCount: Int
  /// Its parameters are the identity and the values of each row.
  let sql: String

  /// How many of some rows the next statement writes: few numbers, so that there are few
  /// statements.
  static func rows(of count: Int) -> Int {
    count >= mostRows ? mostRows : count >= fewRows ? fewRows : 1
  }

  init(_ kind: Kind, of table: Table) {
    bits = kind.slots
    slots = table.info.columnSlots.filter { WatchedValues.bit($0) & kind.slots != 0 }
    let names = slots.flatMap { table.info.properties[$0].columns }.map {
      SQLName.quote($0.name)
    }
    columnCount = names.count
    /// The parameters with the identities, or with the values of a column.
    func parameters(_ position: Int) -> [String] {
      (0..<kind.rows).map { "?\($0 * (names.count + 1) + position + 1)" }
    }
    let identities = parameters(0).joined(separator: ", ")
    let assignments = names.enumerated().map { position, name in
      let values = parameters(position + 1).joined(separator: ", ")
      guard kind.rows > 1 else { return "\(name) = \(values)" }
      return "\(name) = \(NewValueFunction.name)(\(table.identity), \(identities), \(values))"
    }
    let condition: String
    if kind.isRange, let first = parameters(0).first, let last = parameters(0).last {
      condition = kind.rows > 1 ? "BETWEEN \(first) AND \(last)" : "= \(first)"
    } else {
      condition = "IN (\(identities))"
    }
    sql = """
      UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) \
      WHERE \(table.identity) \(condition)
      """
  }
}
