package import Foundation
package import GRDB
package import StrataSchema

/// The reader of the history of a file, on a connection that reads at one moment.
package struct HistoryReader {
  private let db: Database
  private let url: URL
  private let layout: HistoryLayout

  /// - Parameter schema: What is in the file now; for tokens it doesn't matter.
  /// - Throws: ``RealmError`` with code `fail` when the file keeps no history.
  package init(_ db: Database, _ schema: Schema = Schema(), at url: URL) throws {
    self.db = db
    self.url = url
    layout = HistoryLayout(schema)
    guard try HistoryTable.settingsIfKept(db) != nil else {
      throw RealmError(.fail, ErrorText.noHistory(url.path), fileURL: url)
    }
  }

  /// The place behind the newest transaction; nil where no history is kept.
  package static func newest(_ db: Database) throws -> HistoryToken? {
    guard try HistoryTable.settingsIfKept(db) != nil else { return nil }
    return try end(of: "DESC", db)?.token
  }

  private static func end(of order: String, _ db: Database) throws -> HistoryRow? {
    try HistoryRow.fetch(db, "ORDER BY position \(order) LIMIT 1", []).first
  }

  // MARK: Transactions

  /// The transactions behind a token, the oldest first; all that are kept for nil.
  ///
  /// - Throws: ``RealmError`` with code `historyExpired` or `historyDiverged`.
  package func entries(after token: HistoryToken?, limit: Int) throws -> [HistoryEntry] {
    if let token { try check(token) }
    let rows = try rows(after: token?.position ?? -1, limit: limit)
    guard let first = rows.first?.first else { return [] }
    let names = try names(after: first.token.position)
    var entries = try rows.map { try entry(of: $0, names) }
    try findKeys(of: &entries, names)
    return entries
  }

  /// - Throws: ``RealmError`` for a token that isn't of this history, or behind which transactions
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

  /// The rows of each transaction: SQL of other programs knows none, so those of one moment are
  /// taken for one.
  private func rows(after position: Int64, limit: Int) throws -> [[HistoryRow]] {
    var result: [[HistoryRow]] = []
    var position = position
    // A transaction of another program may have many rows: read on until it is whole.
    while true {
      let wanted = max(1, limit - result.count) + 1
      let rows = try HistoryRow.fetch(
        db, "WHERE position > ? ORDER BY position LIMIT ?",
        [.integer(position), .integer(Int64(wanted))])
      for row in rows {
        if row.kind == .other, let last = result.last?.last, last.kind == .other,
          last.at == row.at
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
    var changes: [HistoryEntry.Change] = []
    for group in groups {
      let name = names.className(group.className, at: position)
      let kind = group.kind(names, at: position)
      // All properties that it has changed were removed since.
      guard let kind else { continue }
      if case .deletedAll = kind {
        changes.append(.init(className: name, row: 0, kind: kind))
        continue
      }
      for run in group.rows {
        for identity in run {
          var change = HistoryEntry.Change(className: name, row: identity, kind: kind)
          change.kept = names.columns(
            kept[group.className, identity], of: group.className, at: position)
          changes.append(change)
        }
      }
    }
    return inOrder(changes)
  }

  private func inOrder(_ changes: [HistoryEntry.Change]) -> [HistoryEntry.Change] {
    func precedes(_ one: HistoryEntry.Change, _ other: HistoryEntry.Change) -> Bool {
      SQLName.same(one.className, other.className)
        ? one.row < other.row : SQLName.precedes(one.className, other.className)
    }
    let isSorted = zip(changes, changes.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? changes : changes.sorted(by: precedes)
  }

  /// The effects of rows that triggers have noted.
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
      // A class, or the only property, that was removed since.
      guard let position = layout.position(of: names.className(change.className, at: at)),
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
        kept[position, default: [:]][change.row] = names.columns(
          change.kept, of: change.className, at: at)
      }
      notes[position, default: []].append(
        HistoryNote(
          HistoryNote.Kind(change.kind), row: change.row,
          properties: layout.bits(ofProperties: columns, in: position)))
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

  // MARK: Keys

  /// Finds the primary keys: of objects that are there in their rows, of others in the entry of
  /// their deletion, which may follow later.
  private func findKeys(of entries: inout [HistoryEntry], _ names: HistoryNames) throws {
    var missing: Set<ObjectName> = []
    for index in entries.indices {
      for place in entries[index].changes.indices {
        let change = entries[index].changes[place]
        guard change.row != 0, let position = layout.position(of: change.className),
          let key = layout.classes[position].primaryKeyProperty
        else { continue }
        if case .deleted = change.kind {
          entries[index].changes[place].key = change.kept[key.columnName]
          continue
        }
        let found = try self.key(key, of: change.row, in: layout.classes[position])
        entries[index].changes[place].key = found
        if found == nil { missing.insert(ObjectName(className: change.className, row: change.row)) }
      }
    }
    guard !missing.isEmpty, let first = entries.first else { return }
    let kept = try keptKeys(of: missing, after: first.token.position, names)
    for index in entries.indices {
      for place in entries[index].changes.indices
      where entries[index].changes[place].key == nil {
        let change = entries[index].changes[place]
        entries[index].changes[place].key =
          kept[ObjectName(className: change.className, row: change.row)]
      }
    }
  }

  private struct ObjectName: Hashable {
    var className: String
    var row: Int64
  }

  private func key(
    _ key: Property, of row: Int64, in schema: ObjectSchema
  ) throws -> StoredValue? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(SQLName.quote(key.columnName)) FROM \(SQLName.quote(schema.className)) "
        + "WHERE \(SQLName.quote(schema.identityColumn)) = ?")
    statement.bindRaw(row, at: 1)
    guard try statement.stepRaw() else { return nil }
    defer { statement.resetRaw() }
    return StoredValue(statement.sqliteStatement, column: 0)
  }

  /// The keys of objects that are gone.
  private func keptKeys(
    of objects: Set<ObjectName>, after position: Int64, _ names: HistoryNames
  ) throws -> [ObjectName: StoredValue] {
    var keys: [ObjectName: StoredValue] = [:]
    func note(_ values: [String: StoredValue], _ name: String, _ row: Int64, at place: Int64) {
      let object = ObjectName(className: names.className(name, at: place), row: row)
      guard objects.contains(object), let position = layout.position(of: object.className),
        let key = layout.classes[position].primaryKeyProperty
      else { return }
      keys[object] = names.columns(values, of: name, at: place)[key.columnName]
    }
    let rows = try HistoryRow.fetch(
      db, "WHERE position > ? AND (kept IS NOT NULL OR kind = 'other') ORDER BY position",
      [.integer(position)])
    for row in rows {
      let place = row.token.position
      if row.kind == .other {
        guard let change = OtherProgramChange(row.changes), change.kind == .deleted else {
          continue
        }
        note(change.kept, change.className, change.row, at: place)
      } else if let kept = row.kept.flatMap(KeptValues.init) {
        for (name, rows) in kept.values {
          for (row, values) in rows { note(values, name, row, at: place) }
        }
      }
    }
    return keys
  }
}

extension HistoryRow {
  private static let columns =
    "position, mark, at, kind, author, process, schema_version, changes, kept"

  /// The rows of a query; what the library hasn't written is left out.
  static func fetch(
    _ db: Database, _ condition: String, _ arguments: [StoredValue]
  ) throws -> [HistoryRow] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM strata_history \(condition)")
    try statement.bindRaw(arguments)
    var rows: [HistoryRow] = []
    while try statement.stepRaw() {
      let values = (0..<9).map { StoredValue(statement.sqliteStatement, column: $0) }
      guard case .integer(let position) = values[0], case .integer(let mark) = values[1],
        let kind = values[3].string.flatMap(HistoryTable.Kind.init(rawValue:))
      else { continue }
      rows.append(
        HistoryRow(
          token: HistoryToken(position: position, mark: mark), at: values[2].string ?? "",
          kind: kind, author: values[4].string, process: values[5].string,
          schemaVersion: UInt64(bitPattern: statement.int64(6)), changes: values[7].string ?? "",
          kept: values[8].string))
    }
    return rows
  }
}

extension StoredValue {
  fileprivate var string: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension HistoryNote.Kind {
  fileprivate init(_ kind: OtherProgramChange.Kind) {
    switch kind {
    case .inserted: self = .inserted
    case .updated: self = .updated
    case .elements: self = .elements
    case .deleted: self = .deleted
    }
  }
}

extension HistoryLayout {
  fileprivate func kind(of change: NetChange, in position: Int) -> HistoryGroup.Kind {
    switch change.kind {
    case .inserted: .inserted
    case .updated, .elements: .updated(properties(change.properties, in: position))
    case .deleted: .deleted
    }
  }
}

extension HistoryGroup {
  /// The kind with today's columns; nil for an update of nothing that is still there.
  fileprivate func kind(_ names: HistoryNames, at position: Int64) -> Kind? {
    guard case .updated(let columns) = kind else { return kind }
    let today = columns.compactMap { names.column($0, of: className, at: position) }
    return today.isEmpty ? nil : .updated(today)
  }
}

extension HistoryNames {
  /// Values by today's columns.
  fileprivate func columns(
    _ values: [String: StoredValue], of className: String, at position: Int64
  ) -> [String: StoredValue] {
    var result: [String: StoredValue] = [:]
    for (column, value) in values {
      if let today = self.column(column, of: className, at: position) { result[today] = value }
    }
    return result
  }
}
