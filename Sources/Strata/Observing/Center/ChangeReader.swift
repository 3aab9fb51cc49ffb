import GRDB
import StrataSchema
import StrataStorage

/// A reader of what commits changed: as far as the session that wrote has noted it, or by comparing
/// two snapshots.
struct ChangeReader {
  private let tableSet: TableSet
  private let interest: ObservedTables

  /// When so many rows changed, all properties count as changed: to compare them would take longer
  /// than to deliver them.
  private static let mostCompared = 10_000

  init(_ tableSet: TableSet, _ interest: ObservedTables) {
    self.tableSet = tableSet
    self.interest = interest
  }

  /// What was noted, with the properties that triggers and SQL changed found by comparing.
  func resolve(
    _ known: [IncomingCommits.Known], _ old: Snapshot, _ new: Snapshot
  ) throws -> CommitChanges {
    var changes = CommitChanges()
    for known in known {
      var one = CommitChanges()
      one.rows = known.changes.tables.filter { interest.tables[$0.key] != nil }
      one.properties = known.details.properties
      one.edits = known.details.edits
      changes.add(one)
    }
    try complete(&changes, old, new)
    return changes
  }

  /// The difference of two snapshots. Values that were set to what they were are not in it.
  func compare(_ old: Snapshot, _ new: Snapshot) throws -> CommitChanges {
    var changes = CommitChanges()
    changes.rows = try old.read { old in try new.read { new in try rows(old, new) } }
    try complete(&changes, old, new)
    return changes
  }

  private func rows(_ old: Database, _ new: Database) throws -> [String: RowSet] {
    var rows: [String: RowSet] = [:]
    let difference = SnapshotDifference(old: old, new: new)
    for name in interest.tables.keys {
      if let table = tableSet.stored[name] {
        rows[name] = try difference.rows(of: name, identity: table.identityColumn)
      } else if let table = tableSet.collectionTable(name) {
        rows[name] = try difference.owners(of: table)
      }
    }
    return rows
  }

  private func complete(
    _ changes: inout CommitChanges, _ old: Snapshot, _ new: Snapshot
  ) throws {
    if !interest.classesWithProperties.isEmpty {
      try old.read { old in try new.read { new in try compareProperties(&changes, old, new) } }
    }
    for (key, region) in interest.regions {
      changes.reached[key] = try region.rows(changes, old, new)
    }
  }

  private func compareProperties(
    _ changes: inout CommitChanges, _ old: Database, _ new: Database
  ) throws {
    for name in interest.classesWithProperties.keys {
      guard let table = tableSet[name], table.exists else { continue }
      let rows = changes.rows(of: name)
      var properties = changes.properties[name] ?? [:]
      for row in rows.members {
        guard rows.count <= Self.mostCompared else {
          properties[row] = .all
          continue
        }
        properties[row, default: PropertySet()]
          .formUnion(try table.difference(of: row, old, new))
      }
      changes.properties[name] = properties
    }
  }
}

extension Table {
  /// The columns of a row, in their order; nil when there is none.
  func values(of row: Int64, _ db: Database) throws -> [StoredValue]? {
    guard exists else { return nil }
    let statement = try db.cachedStatement(sql: texts.selectByID.sql)
    statement.bindRaw(row, at: 1)
    guard try statement.stepRaw() else { return nil }
    defer { statement.resetRaw() }
    return (0..<texts.columnCount).map { statement.storedValue(Int32($0 + 1)) }
  }

  /// The properties whose columns differ; all of a row that came or went.
  func difference(of row: Int64, _ old: Database, _ new: Database) throws -> PropertySet {
    guard let before = try values(of: row, old), let after = try values(of: row, new) else {
      return .all
    }
    return PropertySet(slots(where: before, differFrom: after))
  }

  /// The properties whose columns differ, in the order of declaration.
  func slots(where before: [StoredValue], differFrom after: [StoredValue]) -> [_PropertySlot] {
    info.slots.inColumns.filter { slot in
      let first = Int(info.slots.column(of: slot))
      return (first..<first + Int(info.accessors[slot].columns)).contains {
        !before[$0].isIdentical(to: after[$0])
      }
    }
  }
}
