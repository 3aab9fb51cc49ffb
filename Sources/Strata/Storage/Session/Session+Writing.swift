import GRDB

/// What to do with an object whose primary key is there already; RealmSwift's `Realm.UpdatePolicy`.
enum ExistingObjectPolicy {
  case error, modified, all
}

extension Session {
  /// The transaction to work in; nil after a failed begin, which `commitWrite` reports.
  private func requireTransaction(_ className: @autoclosure () -> String) -> WriteTransaction? {
    guard let transaction else {
      stopForProgrammerError(
        "Can only add, remove, or create objects in a Realm in a write transaction - call "
          + "'write' or 'beginWrite()' on a Realm instance first. ('\(className())')")
    }
    return transaction.hasBegun ? transaction : nil
  }

  /// Runs a change whose failure ends the transaction.
  private func noting<Result>(_ body: () throws(RealmError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  func add(_ object: ObjectBase, _ policy: ExistingObjectPolicy) {
    guard let transaction = requireTransaction(type(of: object).className()) else { return }
    _ = noting { () throws(RealmError) in try add(object, policy, transaction) }
  }

  private func add(
    _ object: ObjectBase, _ policy: ExistingObjectPolicy, _ transaction: WriteTransaction
  ) throws(RealmError) {
    let className = type(of: object).className()
    if object._state & ObjectState.deleted != 0 {
      stopForProgrammerError("\(ErrorText.deleted) ('\(className)')")
    }
    if let faulty = object._context as? FaultyContext { throw faulty.error }
    if let context = object._context {
      if context === self { return }
      throw RealmError(.fail, ErrorText.otherRealm)
    }
    guard let table = store.table(type(of: object)) else {
      throw RealmError(.fail, ErrorText.notManaged(className))
    }
    if policy != .error, let row = try existingRow(of: object, table) {
      let slots = policy == .all ? .max : try differences(of: object, from: row, table)
      transaction.update(object, row: row, slots: slots, in: table, session: self)
    } else {
      try transaction.insert(object, in: table, session: self)
    }
  }

  /// The row that has the primary key of an object.
  private func existingRow(
    of object: ObjectBase, _ table: Table
  ) throws(RealmError) -> Int64? {
    guard let slot = table.primaryKeySlot else { return nil }
    let key = try table.info.storedValue(slot, of: object)
    return try find(key, in: table) { $0.int64(0) }
  }

  /// The properties, as bits, in which an unmanaged object differs from a row.
  private func differences(
    of object: ObjectBase, from row: Int64, _ table: Table
  ) throws(RealmError) -> UInt64 {
    let current = try query { db -> [StoredValue] in
      let statement = try db.cachedStatement(sql: table.selectByID)
      statement.bindRaw(row, at: 1)
      guard try statement.stepRaw() else { return [] }
      defer { statement.resetRaw() }
      return table.info.properties.indices.map { statement.storedValue(Int32($0 + 1)) }
    }
    var slots: UInt64 = 0
    for slot in current.indices where try table.info.storedValue(slot, of: object) != current[slot]
    {
      slots |= 1 << UInt64(min(slot, 63))
    }
    return slots
  }

  /// Makes an object of a value and adds it. The value's mistakes end the transaction.
  func create(
    _ type: ObjectBase.Type, value: Any, _ policy: ExistingObjectPolicy
  ) -> ObjectBase {
    let object = type.init()
    guard let transaction = requireTransaction(type.className()) else { return object }
    return noting { () throws(RealmError) in
      guard let table = store.table(type) else {
        throw RealmError(.fail, ErrorText.notManaged(type.className()))
      }
      let values = try table.info.values(from: value)
      for (slot, value) in values { try object.setValue(value, slot: slot, table.info) }
      guard policy != .error, let row = try existingRow(of: object, table) else {
        try add(object, policy, transaction)
        return object
      }
      // Properties that the value doesn't give keep what they have.
      guard let existing = try self.object(row: row, in: table) else { return object }
      for (slot, value) in values where slot != table.primaryKeySlot {
        let stored = try table.info.storedValue(slot, of: object)
        if policy == .modified, try table.info.storedValue(slot, of: existing) == stored {
          continue
        }
        try existing.setValue(value, slot: slot, table.info)
      }
      return existing
    } ?? object
  }

  func delete(_ object: ObjectBase) {
    let className = type(of: object).className()
    guard let transaction = requireTransaction(className) else { return }
    if object._state & ObjectState.deleted != 0 {
      stopForProgrammerError("\(ErrorText.deleted) ('\(className)')")
    }
    _ = noting { () throws(RealmError) in
      guard object._context === self, let table = store.table(type(of: object)) else {
        throw RealmError(.fail, "Can only delete an object from the Realm it belongs to.")
      }
      try transaction.delete(object, in: table)
      markDeleted(object)
    }
  }

  /// Deletes every object of the given tables, or of all.
  func deleteAll(in tables: [Table]? = nil) {
    guard let transaction = requireTransaction("deleteAll") else { return }
    _ = noting { () throws(RealmError) in
      for table in tables ?? store.tables { try transaction.deleteAll(in: table) }
    }
  }
}
