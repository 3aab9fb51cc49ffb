import GRDB
import StrataSchema
import StrataStorage
import Synchronization

/// A reader of the changes of commits. Uses the changes that the writing session recorded, or
/// compares two snapshots.
struct ChangeReader {
  let tableSet: TableSet
  let interest: ObservedTables

  /// The number of changed rows beyond which all properties count as changed: comparing them would
  /// take longer than delivering them.
  private static let maxCompared = 10_000

  /// Returns the recorded changes. Compares snapshots only for properties that triggers and SQL
  /// changed.
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

  /// Returns the difference of two snapshots. Values that were set to their current value are not
  /// in the difference.
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
        guard rows.count <= Self.maxCompared else {
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
  /// Returns the columns of a row, in their order; nil if the row doesn't exist.
  func values(of row: Int64, _ db: Database) throws -> [StoredValue]? {
    guard exists else { return nil }
    return try db.firstRow(texts.selectByID.sql, row) { statement in
      (0..<texts.columnCount).map { statement.storedValue(Int32($0 + 1)) }
    }
  }

  /// Returns the properties whose columns differ; all properties of an inserted or deleted row.
  func difference(of row: Int64, _ old: Database, _ new: Database) throws -> PropertySet {
    guard let before = try values(of: row, old), let after = try values(of: row, new) else {
      return .all
    }
    return PropertySet(slots(where: before, differFrom: after))
  }

  /// Returns the properties whose columns differ, in the order of declaration.
  func slots(where before: [StoredValue], differFrom after: [StoredValue]) -> [_PropertySlot] {
    info.slots.inColumns.filter { slot in
      info.slots.columns(of: slot).contains {
        !before[Int($0)].isIdentical(to: after[Int($0)])
      }
    }
  }
}

/// The changes of one snapshot, for all observations. Observations of the same source share the
/// work.
struct ChangeRound {
  private let snapshot: Snapshot
  private let changes: Result<CommitChanges, any Error>
  private let silenced: Set<ObjectIdentifier>
  private var known: [Key: (state: SourceState, change: SourceChange?)] = [:]

  private struct Key: Hashable {
    var source: StoredText
    /// The snapshot of the last delivered state; nil before the first state.
    var since: UInt64?
  }

  init(
    _ snapshot: Snapshot, _ changes: Result<CommitChanges, any Error>,
    silenced: Set<ObjectIdentifier>
  ) {
    self.snapshot = snapshot
    self.changes = changes
    self.silenced = silenced
  }

  /// Returns the change to deliver to an observation for this snapshot, or nil.
  ///
  /// - Parameter waiting: The mail that the observation's place has not taken yet.
  mutating func news(for observation: Observation, _ waiting: Mail?) throws -> Mail.News? {
    let waits = waiting?.news.contains { $0.observation === observation } == true
    let changes = try changes.get()
    let (isWaiting, state) = observation.state.withLock { state in
      let isWaiting = state.settle(waits: waits)
      state.add(changes)
      return (isWaiting, state)
    }
    let key = Key(source: observation.key, since: state.delivered?.number)
    let found = try known[key] ?? change(for: observation.source, state)
    known[key] = found
    // A silenced commit must not drop earlier changes that were not delivered.
    let isSilenced = silenced.contains(ObjectIdentifier(observation)) && !isWaiting
    let change = isSilenced ? nil : found.change
    let observed = ObservationState.Observed(number: snapshot.number, state: found.state)
    observation.state.withLock { $0.propose(observed, isTold: change != nil) }
    return change.map {
      Mail.News(observation: observation, change: $0, since: state.delivered?.number)
    }
  }

  private func change(
    for source: any ObservationSource, _ state: ObservationState
  ) throws -> (state: SourceState, change: SourceChange?) {
    try snapshot.read { db in
      guard let delivered = state.delivered else { return (try source.state(db), .initial) }
      return try source.change(from: delivered.state, state.pending, db)
    }
  }
}
