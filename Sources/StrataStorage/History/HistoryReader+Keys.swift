import GRDB
import StrataSchema

extension HistoryReader {
  /// Finds the primary keys of changed objects. Existing objects have them in their rows; deleted
  /// ones have them in the entry of their deletion, which may follow later.
  func findKeys(of entries: inout [HistoryEntry], _ names: HistoryNames) throws {
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
    let sql =
      "SELECT \(SQLName.quote(key.columnName)) FROM \(SQLName.quote(schema.className)) "
      + "WHERE \(SQLName.quote(schema.identityColumn)) = ?"
    return try db.firstRow(sql, row) { $0.storedValue(0) }
  }

  /// Returns the keys of deleted objects from the entries of their deletions. Reads until all keys
  /// are known.
  private func keptKeys(
    of objects: Set<ObjectName>, after position: Int64, _ names: HistoryNames
  ) throws -> [ObjectName: StoredValue] {
    var keys: [ObjectName: StoredValue] = [:]
    var unknown = objects
    func record(_ values: [String: StoredValue], _ name: String, _ row: Int64, at place: Int64) {
      guard let className = className(name, at: place, names) else { return }
      let object = ObjectName(className: className, row: row)
      guard unknown.contains(object), let position = layout.position(of: className),
        let key = layout.classes[position].primaryKeyProperty,
        let value = columns(values, of: name, at: place, names)[key.columnName]
      else { return }
      keys[object] = value
      unknown.remove(object)
    }
    var position = position
    while !unknown.isEmpty {
      let rows = try HistoryRow.fetch(
        db, "WHERE position > ? AND \(Self.mayTellKeys) ORDER BY position LIMIT ?",
        [.integer(position), .integer(Int64(Self.rowsAtOnce))])
      for row in rows where !unknown.isEmpty {
        let place = row.token.position
        if row.kind == .other {
          guard let change = OtherProgramChange(row.changes), change.kind == .deleted else {
            continue
          }
          record(change.kept, change.className, change.row, at: place)
        } else if let kept = row.kept {
          for (name, rows) in KeptValues(kept)?.values ?? [:] {
            for (row, values) in rows { record(values, name, row, at: place) }
          }
        } else {
          // All objects of a class were deleted: their keys are unknown.
          let groups = HistoryGroup.groups(in: row.changes) ?? []
          for group in groups {
            guard case .deletedAll = group.kind else { continue }
            let name = className(group.className, at: place, names)
            unknown = unknown.filter { $0.className != name }
          }
        }
      }
      // Unreadable rows are left out of an answer, so a short answer isn't the last one.
      guard let last = rows.last else { break }
      position = last.token.position
    }
    return keys
  }

  private static let rowsAtOnce = 500
  /// SQL for the rows that may contain the deletion of an object.
  private static let mayTellKeys = """
    (kept IS NOT NULL OR (kind = 'other' AND instr(changes, '''d''') > 0) \
    OR (kind = 'write' AND instr(changes, '"x"') > 0))
    """
}

extension HistoryReader {
  /// Returns values by today's column names, with today's class names in links.
  func columns(
    _ values: [String: StoredValue], of className: String, at position: Int64,
    _ names: HistoryNames
  ) -> [String: StoredValue] {
    let today = self.className(className, at: position, names)
    let schema = today.flatMap(layout.position).map { layout.classes[$0] }
    var result: [String: StoredValue] = [:]
    var types: [String: StoredValue] = [:]
    for (old, value) in values {
      guard let today = names.column(old, of: className, at: position) else { continue }
      result[today] = value
      // A value of any type has its type in another column, whose name is not part of the renames.
      if let property = schema?.property(column: today), let column = property.typeColumnName {
        types[column] = values[ColumnDefinition.typeName(of: old)]
      }
    }
    for (column, type) in types { result[column] = linkType(type, at: position, names) }
    return result
  }

  /// Returns the type of a value. If it is a link, with today's class name.
  private func linkType(
    _ type: StoredValue, at position: Int64, _ names: HistoryNames
  ) -> StoredValue {
    guard case .text(let text) = type, text.hasPrefix("<"), text.hasSuffix(">") else { return type }
    let name = names.className(String(text.dropFirst().dropLast()), at: position)
    return .text(AnyValueSQL.typeName(className: name))
  }
}
