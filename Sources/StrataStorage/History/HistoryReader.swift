package import Foundation
package import GRDB
package import StrataSchema

/// The reader of the history of a file, on a connection that reads one snapshot.
package struct HistoryReader {
  let db: Database
  private let url: URL
  let layout: HistoryLayout

  /// - Parameter schema: The present schema of the file; not needed for tokens.
  /// - Throws: ``RealmError`` with code `fail` if the file keeps no history.
  package init(_ db: Database, _ schema: Schema = Schema(), at url: URL) throws {
    self.db = db
    self.url = url
    layout = HistoryLayout(schema)
    guard try HistoryTable.settingsIfKept(db) != nil else {
      throw RealmError(
        .fail,
        "No history is kept in the file at path '\(url.path)'. Set `history` in its configuration; it "
          + "begins with the next opening.", fileURL: url)
    }
  }

  /// Returns the token of the newest transaction; nil if no history is kept.
  package static func newest(_ db: Database) throws -> HistoryToken? {
    guard try HistoryTable.settingsIfKept(db) != nil else { return nil }
    return try end(of: "DESC", db)?.token
  }

  private static func end(of order: String, _ db: Database) throws -> HistoryRow? {
    try HistoryRow.fetch(db, "ORDER BY position \(order) LIMIT 1", []).first
  }

  // MARK: Transactions

  /// Returns the transactions after a token, the oldest first. For nil, returns all that are kept.
  ///
  /// - Throws: ``RealmError`` with code `historyExpired` or `historyDiverged`.
  package func entries(after token: HistoryToken?, limit: Int) throws -> [HistoryEntry] {
    if let token { try check(token) }
    let rows = try rows(after: token?.position ?? -1, limit: limit)
    guard let first = rows.first?.first else { return [] }
    let names = try names(after: first.token.position)
    var entries = try rows.map { try entry(of: $0, names) }
    let starts = try FileOrigins.starts(db)
    for index in entries.indices {
      let position = entries[index].token.position
      entries[index].origin = starts.last { $0.position <= position }?.mark
    }
    try findKeys(of: &entries, names)
    return entries
  }

  /// - Throws: ``RealmError`` for a token of another history, or if transactions after the token
  ///   are missing.
  package func check(_ token: HistoryToken) throws {
    let row = try HistoryRow.fetch(db, "WHERE position = ?", [.integer(token.position)]).first
    guard row?.token.mark != token.mark else { return }
    if row == nil, let oldest = try Self.end(of: "ASC", db),
      token.position < oldest.token.position
    {
      throw RealmError(
        .historyExpired,
        "The history after '\(token)' is no longer kept in the file at path '\(url.path)': the oldest "
          + "transaction is '\(oldest.token)' of \(oldest.at). Read all objects again, and go on from "
          + "`historyToken`.", fileURL: url)
    }
    throw RealmError(
      .historyDiverged,
      "The token '\(token)' is not of the history of the file at path '\(url.path)': it was restored, "
        + "copied or has lost its last transactions since. Read all objects again, and go on from "
        + "`historyToken`.", fileURL: url)
  }

  /// Returns the rows of each transaction. The triggers that record SQL of other programs don't
  /// know its transactions, so rows with the same time are treated as one, up to a number of rows.
  private func rows(after position: Int64, limit: Int) throws -> [[HistoryRow]] {
    var result: [[HistoryRow]] = []
    var position = position
    // A transaction of another program may have many rows: read on until it is complete.
    while true {
      // Read in portions: the limit may be `Int.max`.
      let wanted = min(max(1, limit - result.count), Self.maxAtOnce) + 1
      let rows = try HistoryRow.fetch(
        db, "WHERE position > ? ORDER BY position LIMIT ?",
        [.integer(position), .integer(Int64(wanted))])
      for row in rows {
        if row.kind == .other, let last = result.last?.last, last.kind == .other,
          last.at == row.at, result[result.count - 1].count < Self.maxRowsOfOthers
        {
          result[result.count - 1].append(row)
        } else if result.count < limit {
          result.append([row])
        } else {
          return result
        }
      }
      guard rows.count == wanted, let last = rows.last else { return result }
      position = last.token.position
    }
  }

  private static let maxAtOnce = 1_000
  /// A statement of another program may change any number of rows.
  static let maxRowsOfOthers = 10_000

  private func names(after position: Int64) throws -> HistoryNames {
    let rows = try HistoryRow.fetch(
      db, "WHERE kind = 'migration' AND position > ? ORDER BY position", [.integer(position)])
    return HistoryNames(
      rows.compactMap { row in
        HistoryMigration(row.changes).map { (row.token.position, $0) }
      })
  }

  private func entry(of rows: [HistoryRow], _ names: HistoryNames) throws -> HistoryEntry {
    guard let first = rows.first, let last = rows.last else { throw unreadable(0) }
    guard let date = DateText.decode(first.at) else { throw unreadable(first.token.position) }
    var entry = HistoryEntry(
      token: last.token, date: date, kind: first.kind, author: first.author,
      process: first.process, schemaVersion: first.schemaVersion)
    switch first.kind {
    case .began, .restored: break
    case .migration:
      guard let migration = HistoryMigration(first.changes) else {
        throw unreadable(first.token.position)
      }
      entry.migration = migration
    case .write: entry.changes = try changes(of: first, names)
    case .other: entry.changes = try changes(ofOthers: rows, names)
    }
    return entry
  }

  private func unreadable(_ position: Int64) -> RealmError {
    RealmError(
      .invalidDatabase,
      "Realm file at path '\(url.path)': row \(position) of table 'strata_history' can't be read. Delete "
        + "it, and read all objects again.", fileURL: url)
  }

  // MARK: Changes

  private func changes(
    of row: HistoryRow, _ names: HistoryNames
  ) throws -> [HistoryEntry.Change] {
    let position = row.token.position
    guard let groups = HistoryGroup.groups(in: row.changes),
      let kept = row.kept.map(KeptValues.init) ?? KeptValues()
    else { throw unreadable(position) }
    try check(groups, at: position)
    var changes: [HistoryEntry.Change] = []
    for group in groups {
      // All properties that it has changed were removed since.
      guard let name = className(group.className, at: position, names),
        let kind = group.kind(names, at: position)
      else { continue }
      if case .deletedAll = kind {
        changes.append(.init(className: name, row: 0, kind: kind))
        continue
      }
      for run in group.rows {
        for identity in run {
          var change = HistoryEntry.Change(className: name, row: identity, kind: kind)
          change.kept = columns(
            kept[group.className, identity], of: group.className, at: position, names)
          changes.append(change)
        }
      }
    }
    return inOrder(changes)
  }

  /// - Throws: ``RealmError`` with code `fail` if a transaction has more changes than memory can
  ///   hold. A range of identities describes any number of changes in a few characters.
  private func check(_ groups: [HistoryGroup], at position: Int64) throws {
    // Identities outside of ranges are bounded by the length of the text.
    var count: UInt64 = 0
    for run in groups.lazy.flatMap(\.rows) {
      let length = UInt64(bitPattern: run.upperBound &- run.lowerBound)
      let (sum, overflow) = count.addingReportingOverflow(length)
      count = overflow ? .max : sum
    }
    guard count >= Self.maxChanges else { return }
    throw RealmError(
      .fail,
      "Realm file at path '\(url.path)': row \(position) of table 'strata_history' says that more than "
        + "\(Self.maxChanges) objects changed, which is more than can be read. Read all objects again, and "
        + "go on from `historyToken`.", fileURL: url)
  }

  private static let maxChanges = 100_000_000

  /// Returns today's name of a class; nil for a removed class whose name another one has.
  func className(_ name: String, at position: Int64, _ names: HistoryNames) -> String? {
    let today = names.className(name, at: position)
    let isTaken = layout.position(of: today) != nil && names.isGone(name, at: position)
    return isTaken ? nil : today
  }

  private func inOrder(_ changes: [HistoryEntry.Change]) -> [HistoryEntry.Change] {
    func precedes(_ one: HistoryEntry.Change, _ other: HistoryEntry.Change) -> Bool {
      SQLName.same(one.className, other.className)
        ? one.row < other.row : SQLName.precedes(one.className, other.className)
    }
    let isSorted = zip(changes, changes.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? changes : changes.sorted(by: precedes)
  }

  /// Returns the effects of the rows that triggers recorded.
  private func changes(
    ofOthers rows: [HistoryRow], _ names: HistoryNames
  ) throws -> [HistoryEntry.Change] {
    var notes: [Int: [HistoryNote]] = [:]
    var kept: [Int: [Int64: [String: StoredValue]]] = [:]
    var owners = EmbeddedOwners(layout, db)
    for row in rows {
      let at = row.token.position
      guard let change = OtherProgramChange(row.changes) else { throw unreadable(at) }
      let columns = change.columns.compactMap {
        names.column($0, of: change.className, at: at)
      }
      // The class, or the only property, was removed since.
      guard
        let position = className(change.className, at: at, names).flatMap(layout.position),
        change.columns.isEmpty || !columns.isEmpty
      else { continue }
      guard !layout.classes[position].isEmbedded else {
        guard [.updated, .elements].contains(change.kind),
          let owner = try owners.owner(of: change.row, in: position)
        else { continue }
        notes[owner.position, default: []].append(
          HistoryNote(.elements, row: owner.row, properties: owner.property))
        continue
      }
      if change.kind == .deleted {
        kept[position, default: [:]][change.row] = self.columns(
          change.kept, of: change.className, at: at, names)
      }
      notes[position, default: []].append(
        HistoryNote(
          change.kind, row: change.row,
          properties: layout.properties(named: columns, in: position)))
    }
    return notes.sorted { $0.key < $1.key }.flatMap { position, notes in
      NetChange.effects(of: notes).map { effect in
        var change = HistoryEntry.Change(
          className: layout.classes[position].className, row: effect.row,
          kind: layout.kind(of: effect, in: position))
        if effect.kind == .deleted { change.kept = kept[position]?[effect.row] ?? [:] }
        return change
      }
    }
  }
}

extension HistoryLayout {
  fileprivate func kind(of change: NetChange, in position: Int) -> HistoryGroup.Kind {
    switch change.kind {
    case .inserted: .inserted
    case .updated: .updated(columns(of: change.properties, in: position))
    case .deleted: .deleted
    }
  }
}

extension HistoryGroup {
  /// Returns the kind with today's columns; nil for an update whose columns were all removed.
  fileprivate func kind(_ names: HistoryNames, at position: Int64) -> Kind? {
    guard case .updated(let columns) = kind else { return kind }
    let today = columns.compactMap { names.column($0, of: className, at: position) }
    return today.isEmpty ? nil : .updated(today)
  }
}
