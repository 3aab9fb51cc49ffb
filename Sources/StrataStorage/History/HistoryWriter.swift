package import GRDB
package import StrataSchema

/// The writer of a history: writes one entry with the changes of a transaction.
///
/// A writer belongs to the writing connection, and to one schema of the file.
final class HistoryWriter {
  let layout: HistoryLayout
  let settings: HistorySettings
  private let version: UInt64
  /// The properties that statements of the library set, by class.
  private var known: [KnownUpdate: PropertySet] = [:]

  private struct KnownUpdate: Hashable {
    var className: String
    var slots: PropertySet
  }

  init(_ settings: HistorySettings, _ schema: Schema, version: UInt64) {
    self.settings = settings
    layout = HistoryLayout(schema)
    self.version = version
  }

  /// Returns the properties that a statement of the library sets.
  ///
  /// - Parameter slots: The properties, with the program's numbers.
  func properties(
    _ className: String, _ slots: PropertySet, _ columns: () -> [String]
  ) -> PropertySet {
    let update = KnownUpdate(className: className, slots: slots)
    if let properties = known[update] { return properties }
    let position = layout.position(of: className)
    let properties = position.map { layout.properties(named: columns(), in: $0) }
    known[update] = properties ?? PropertySet()
    return properties ?? PropertySet()
  }

  /// Writes the entry of a transaction, before the commit. A transaction that changed no object has
  /// no entry.
  ///
  /// - Parameters:
  ///   - noted: The changes of each table, in the order in which they were made.
  ///   - deletedAll: The classes whose objects were all deleted at once.
  ///   - readCommitted: Reads the file as of before the transaction, which holds the write lock.
  ///   - canBeUndone: Whether the notes may contain changes that were rolled back to a savepoint.
  func write(
    _ noted: [(table: String, notes: [HistoryNote])], by author: String?,
    deletedAll: Set<String>, _ db: Database, canBeUndone: Bool,
    readCommitted: ((Database) throws -> Void) throws -> Void,
    insert: ([StoredValue]) throws -> Void
  ) throws {
    var changes = try changes(of: noted, db)
    if canBeUndone { try removeUndone(&changes, db, readCommitted) }
    var groups: [HistoryGroup] = []
    var kept = KeptValues()
    for (position, changes) in changes.sorted(by: { $0.key < $1.key }) where !changes.isEmpty {
      let name = layout.classes[position].className
      let deletesAll =
        deletedAll.contains(name) && settings.kept[name, default: []].isEmpty
      groups += layout.groups(of: changes, in: position, deletesAll: deletesAll)
      try keepValues(of: changes, in: position, deletesAll, &kept, readCommitted)
    }
    guard !groups.isEmpty else { return }
    let values: [StoredValue] = [
      author.map { .text($0) } ?? .null, .text(HistoryProcess.name),
      .integer(Int64(bitPattern: version)), .text(HistoryGroup.text(groups)),
      kept.text.map { .text($0) } ?? .null,
    ]
    try insert(values)
  }

  // MARK: Effects

  /// Returns the effects by class. Effects on embedded objects are updates of their owners.
  private func changes(
    of noted: [(table: String, notes: [HistoryNote])], _ db: Database
  ) throws -> [Int: [NetChange]] {
    // Most transactions change objects of one class.
    if noted.count == 1, case .objects(let position) = layout.home(of: noted[0].table),
      !layout.classes[position].isEmbedded
    {
      return [position: NetChange.effects(of: noted[0].notes)]
    }
    var notes: [Int: [HistoryNote]] = [:]
    for (table, list) in noted {
      switch layout.home(of: table) {
      case .objects(let position): notes[position, default: []] += list
      case .elements(let position, let property):
        notes[position, default: []] += list.map {
          HistoryNote(.elements, row: $0.row, properties: PropertySet(property))
        }
      case nil: break
      }
    }
    var owners = EmbeddedOwners(layout, db)
    for (position, list) in notes where layout.classes[position].isEmbedded {
      notes[position] = nil
      // If an embedded object was added or deleted, the owner's own row or collection has changed.
      for change in NetChange.effects(of: list) where change.kind == .updated {
        guard let owner = try owners.owner(of: change.row, in: position) else { continue }
        notes[owner.position, default: []].append(
          HistoryNote(.elements, row: owner.row, properties: owner.property))
      }
    }
    return notes.mapValues { NetChange.effects(of: $0) }
  }

  /// Compares the recorded rows before the transaction and now.
  ///
  /// SQLite reports each change when it is made, but not its rollback to a savepoint.
  private func removeUndone(
    _ changes: inout [Int: [NetChange]], _ db: Database,
    _ readCommitted: ((Database) throws -> Void) throws -> Void
  ) throws {
    try readCommitted { before in
      for (position, list) in changes {
        let schema = layout.classes[position]
        let sql =
          "SELECT 1 FROM \(SQLName.quote(schema.className)) "
          + "WHERE \(SQLName.quote(schema.identityColumn)) = ?"
        changes[position] = try list.compactMap { change in
          switch (try before.hasRow(sql, change.row), try db.hasRow(sql, change.row)) {
          case (false, false): nil
          case (false, true): NetChange(row: change.row, kind: .inserted)
          case (true, false): NetChange(row: change.row, kind: .deleted)
          case (true, true):
            change.kind == .updated
              ? change : NetChange(row: change.row, kind: .updated, properties: .all)
          }
        }
      }
    }
  }

  // MARK: Values

  /// Keeps the required values of deleted objects, and old values.
  private func keepValues(
    of changes: [NetChange], in position: Int, _ deletesAll: Bool, _ kept: inout KeptValues,
    _ readCommitted: ((Database) throws -> Void) throws -> Void
  ) throws {
    let schema = layout.classes[position]
    let hasDeleted = !deletesAll && changes.contains { $0.kind == .deleted }
    let ofDeleted = hasDeleted ? settings.keptColumns(of: schema) : []
    let keepsOld = settings.classesWithOldValues.contains(schema.className)
    let wanted = changes.filter { change in
      switch change.kind {
      case .inserted: false
      case .updated: keepsOld
      case .deleted: !ofDeleted.isEmpty
      }
    }
    guard !wanted.isEmpty else { return }
    let table = SQLName.quote(schema.className)
    let identity = SQLName.quote(schema.identityColumn)
    try readCommitted { before in
      for change in wanted {
        let columns =
          change.kind == .deleted
          ? ofDeleted
          : layout.columns(of: change.properties, in: position)
            .compactMap(schema.property(column:)).flatMap(\.columns).map(\.name)
        guard !columns.isEmpty else { continue }
        let sql = "SELECT \(SQLName.list(columns)) FROM \(table) WHERE \(identity) = ?"
        try before.firstRow(sql, change.row) { statement in
          for (index, column) in columns.enumerated() {
            kept.keep(
              statement.storedValue(Int32(index)), column, of: change.row, in: schema.className)
          }
        }
      }
    }
  }
}

/// The finder of the owners of embedded objects. A change of an embedded object is recorded as a
/// change of its owner.
package struct EmbeddedOwners {
  private let layout: HistoryLayout
  private let db: Database
  private var holders: [Int: [Holder]] = [:]

  /// An object with an embedded object in a property.
  package struct Owner: Hashable {
    /// The position of the class in the layout.
    package var position: Int
    package var row: Int64
    package var property: PropertySet
  }

  private struct Holder {
    var position: Int
    var property: PropertySet
    var sql: String
  }

  package init(_ layout: HistoryLayout, _ db: Database) {
    self.layout = layout
    self.db = db
  }

  /// Returns the outermost owner of an embedded object, which isn't embedded itself; nil if
  /// missing.
  package mutating func owner(of row: Int64, in position: Int) throws -> Owner? {
    var owner = Owner(position: position, row: row, property: PropertySet())
    var visited: Set<Owner> = []
    while layout.classes[owner.position].isEmbedded {
      // In a file that other programs have changed, objects may contain each other.
      guard visited.insert(owner).inserted,
        let next = try holder(of: owner.row, in: owner.position)
      else { return nil }
      owner = next
    }
    return owner
  }

  private mutating func holder(of row: Int64, in position: Int) throws -> Owner? {
    for holder in holders(of: position) {
      if let owner = try db.firstRow(holder.sql, row, { $0.int64(0) }) {
        return Owner(position: holder.position, row: owner, property: holder.property)
      }
    }
    return nil
  }

  private mutating func holders(of position: Int) -> [Holder] {
    if let known = holders[position] { return known }
    let found = layout.holders(of: position).map { reference, position, property in
      Holder(
        position: position, property: property,
        sql: "SELECT \(SQLName.quote(reference.owner)) FROM \(SQLName.quote(reference.table)) "
          + "WHERE \(SQLName.quote(reference.column)) = ? LIMIT 1")
    }
    holders[position] = found
    return found
  }
}
