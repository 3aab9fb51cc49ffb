import GRDB
import GRDBSQLite
import StrataSchema
import StrataStorage
import Synchronization

extension Table {
  /// Writes the changed properties of objects to their rows.
  ///
  /// One statement for several rows takes a third of the time of one per row.
  func update(
    _ objects: [ObjectBase], _ db: Database,
    _ run: (UpdateStatement, () throws -> Void) throws -> Void
  ) throws {
    var rest = ascending(objects)[...]
    while let first = rest.first {
      let alike = rest.prefix { $0._dirty == first._dirty }
      let rows = UpdateStatement.Rows(of: alike)
      let group = alike.prefix(rows.count)
      rest = rest.dropFirst(rows.count)
      guard !first._dirty.isEmpty else { continue }
      let update = statement(.init(slots: first._dirty, rows: rows))
      guard !update.slots.isEmpty else { continue }
      try run(update) { try write(group, by: update, db) }
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

  private func statement(_ kind: UpdateStatement.Kind) -> UpdateStatement {
    updates.withLock { known in
      if let update = known[kind] { return update }
      let made = UpdateStatement(kind, of: self)
      known[kind] = made
      return made
    }
  }

  private func write(
    _ objects: ArraySlice<ObjectBase>, by update: UpdateStatement, _ db: Database
  ) throws {
    guard let first = objects.first, let last = objects.last else { return }
    let statement = try db.cachedStatement(sql: update.sql)
    guard objects.count > 1 else {
      return try statement.runRaw {
        statement.bindRaw(first._rowID, at: 1)
        try bind(first, slots: update.slots, to: statement.sqliteStatement, from: 2)
      }
    }
    let values = NewValues(objects, update.columns, info)
    do {
      values.source.bind(to: statement.sqliteStatement, at: 1)
      if update.kind.rows.isRange {
        statement.bindRaw(first._rowID, at: 2)
        statement.bindRaw(last._rowID, at: 3)
      } else {
        for (index, object) in objects.enumerated() {
          statement.bindRaw(object._rowID, at: Int32(index) + 2)
        }
      }
      _ = try withExtendedLifetime(values) { try statement.stepRaw() }
    } catch {
      // Finds out which property can't be stored. The statement wrote nothing.
      for object in objects { try refuseUnstorable(object, update.slots, db) }
      throw error
    }
  }

  private func refuseUnstorable(_ object: ObjectBase, _ slots: [_PropertySlot], _ db: Database)
    throws
  {
    let parameters = Array(repeating: "?", count: texts.columnCount).joined(separator: ", ")
    let statement = try db.cachedStatement(sql: "SELECT \(parameters)")
    defer { sqlite3_clear_bindings(statement.sqliteStatement) }
    try bind(object, slots: slots, to: statement.sqliteStatement, from: 1)
  }
}

/// The new values of objects in the order of their rows. A statement reads them.
private final class NewValues {
  private let objects: ContiguousArray<Unmanaged<ObjectBase>>
  private let row: RowAccess
  /// The values that code of the program computes, by column. Computed before: this code must not
  /// run while SQLite executes a step.
  private let made: [Int: [_StoredElement?]]
  /// The position of the last object that SQLite asked for. SQLite visits the rows in order.
  @exclusivity(unchecked) private var position = 0
  private(set) lazy var source = NewValueFunction.Source(
    Unmanaged.passUnretained(self).toOpaque()
  ) { values, identity, column, context in
    Unmanaged<NewValues>.fromOpaque(values)._withUnsafeGuaranteedRef {
      $0.give(identity, column, context)
    }
  }

  /// - Parameters:
  ///   - objects: The objects in the order of their rows. They must live as long as this instance.
  ///   - columns: The columns that the statement reads, as positions among the class's columns.
  init(_ objects: ArraySlice<ObjectBase>, _ columns: [Int], _ info: ClassInfo) {
    self.objects = objects.withUnsafeBufferPointer {
      ContiguousArray(unsafeBitCast($0, to: UnsafeBufferPointer<Unmanaged<ObjectBase>>.self))
    }
    row = info.row
    var made: [Int: [_StoredElement?]] = [:]
    if row.runsProgram {
      for column in columns where row.runsProgram(column) {
        let accessor = info.accessors[info.slots.inColumns[column]]
        made[column] = self.objects.map { accessor.stored($0.toOpaque()) }
      }
    }
    self.made = made
  }

  private func identity(_ position: Int) -> Int64 {
    objects[position]._withUnsafeGuaranteedRef { $0._rowID }
  }

  private func give(_ identity: Int64, _ column: Int, _ context: OpaquePointer) -> Bool {
    guard find(identity), let part = RowAccess.Part(rawValue: column & 1) else { return false }
    if !made.isEmpty, let values = made[column >> 1] {
      guard let value = values[position] else { return false }
      context.returnStored(part.stored(in: value))
      return true
    }
    return row.giveResult(column >> 1, part, of: objects[position].toOpaque(), context)
  }

  private func find(_ identity: Int64) -> Bool {
    if self.identity(position) == identity { return true }
    if position + 1 < objects.count, self.identity(position + 1) == identity {
      position += 1
      return true
    }
    var range = 0..<objects.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let found = self.identity(middle)
      if found == identity {
        position = middle
        return true
      }
      range = found < identity ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }
}

/// A statement that writes some properties of one row or of several.
struct UpdateStatement {
  /// The rows that a statement writes.
  enum Rows: Hashable {
    case one
    /// Several consecutive rows: one statement for any number of rows.
    case range(count: Int)
    case several(Int)

    /// The least number of rows for one statement: for fewer, a statement per row is as fast.
    private static let few = 8
    private static let maxCount = 32

    /// Chooses how many of the first objects, in the order of their rows, the next statement
    /// writes.
    init(of objects: ArraySlice<ObjectBase>) {
      guard objects.count > 1, let first = objects.first, let last = objects.last else {
        self = .one
        return
      }
      let (distance, overflow) = last._rowID.subtractingReportingOverflow(first._rowID)
      if !overflow, distance == objects.count - 1 {
        self = .range(count: objects.count)
      } else {
        // Few different numbers, so that there are few different statements.
        self =
          objects.count >= Self.maxCount
          ? .several(Self.maxCount)
          : objects.count >= Self.few ? .several(Self.few) : .one
      }
    }

    var count: Int {
      switch self {
      case .one: 1
      case .range(let count), .several(let count): count
      }
    }

    var isRange: Bool { if case .range = self { true } else { false } }
  }

  /// The properties and rows that distinguish statements.
  struct Kind: Hashable {
    var slots: PropertySet
    var rows: Rows

    init(slots: PropertySet, rows: Rows) {
      self.slots = slots
      // All ranges share one statement.
      self.rows = rows.isRange ? .range(count: 0) : rows
    }
  }

  let kind: Kind
  let slots: [_PropertySlot]
  /// The positions of the properties among the properties with columns.
  let columns: [Int]
  /// For one row, the parameters are the identity and the values. For several rows, they are a
  /// source of values, and then the identities, or the first and the last identity.
  let sql: String

  init(_ kind: Kind, of table: Table) {
    self.kind = kind
    let all = table.info.slots.inColumns
    columns = all.indices.filter { kind.slots.contains(all[$0]) }
    slots = columns.map { all[$0] }
    var assignments: [String] = []
    for (index, slot) in zip(columns, slots) {
      for (part, column) in table.info.properties[slot].columns.enumerated() {
        let value =
          kind.rows == .one
          ? "?\(assignments.count + 2)"
          : NewValueFunction.value(of: table.identity, column: index * 2 + part, source: "?1")
        assignments.append("\(SQLName.quote(column.name)) = \(value)")
      }
    }
    let condition =
      switch kind.rows {
      case .one: "= ?1"
      case .range: "BETWEEN ?2 AND ?3"
      case .several(let count): "IN (\((2..<2 + count).map { "?\($0)" }.joined(separator: ", ")))"
      }
    sql = """
      UPDATE \(table.name) SET \(assignments.joined(separator: ", ")) \
      WHERE \(table.identity) \(condition)
      """
  }
}

/// A rule for adding an object if another object with the same primary key exists.
public enum UpdatePolicy: Sendable {
  /// The write fails with an error.
  case error
  /// The values that differ are written to the existing object. Objects that it leads to in its
  /// properties, lists and maps are changed in place if their class has no primary key.
  case modified
  /// All values are written to the existing object.
  case all
}
