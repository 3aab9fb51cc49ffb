import GRDB
import IssueReporting
import StrataStorage

extension Session {
  /// The current transaction; nil after a failed `beginWrite()`, which `commitWrite` reports.
  func requireTransaction(_ className: @autoclosure () -> String) -> WriteTransaction? {
    guard !isShared else {
      reportIssue("\(ErrorText.frozenTransaction) ('\(className())')")
      return nil
    }
    requirePlace()
    guard let transaction else {
      stopForProgrammerError(
        "Can only add, remove, or create objects in a Realm in a write transaction - call "
          + "'write' or 'beginWrite()' on a Realm instance first. ('\(className())')")
    }
    return transaction.hasBegun ? transaction : nil
  }

  /// Runs a change. Records an error, which makes the transaction fail.
  func noting<Result>(_ body: () throws(RealmError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      record(error)
      return nil
    }
  }

  /// Adds an object and everything that it leads to.
  func add(_ object: ObjectBase, _ policy: UpdatePolicy) {
    let acting = acting
    guard acting === self else { return acting.add(object, policy) }
    guard let transaction = requireTransaction(type(of: object).className()) else { return }
    _ = noting { () throws(RealmError) in
      _ = try DraftWriter.add(object, policy, self, transaction)
    }
  }

  /// Creates an object from a value and adds it. An invalid value makes the transaction fail.
  func create(
    _ type: ObjectBase.Type, value: Any, _ policy: UpdatePolicy
  ) -> ObjectBase {
    let acting = acting
    guard acting === self else { return acting.create(type, value: value, policy) }
    guard let transaction = requireTransaction(type.className()) else { return type.init() }
    return noting { () throws(RealmError) in
      if type is EmbeddedObject.Type {
        // An embedded object is added with its parent.
        let object = type.init()
        try object.setValues(value)
        return object
      }
      return try DraftWriter.create(type, value, policy, self, transaction)
    } ?? type.init()
  }

  func delete(_ object: ObjectBase) {
    let acting = acting
    guard acting === self else { return acting.delete(object) }
    let className = type(of: object).className()
    guard let transaction = requireTransaction(className) else { return }
    if object._state & ObjectState.deleted != 0 {
      stopForProgrammerError("\(ErrorText.deleted) ('\(className)')")
    }
    _ = noting { () throws(RealmError) in
      guard isOfFile(object), let table = store.table(type(of: object)) else {
        throw RealmError(.fail, "Can only delete an object from the Realm it belongs to.")
      }
      guard !object.isFromBefore else {
        throw RealmError(.fail, "\(ErrorText.deleted) ('\(className)')")
      }
      try transaction.delete(object._rowID, in: table)
      transaction.lost.record(object)
      markDeleted(object)
    }
  }

  /// Whether an object belongs to the file of this session, and isn't frozen.
  func isOfFile(_ object: ObjectBase) -> Bool {
    guard object._context !== self else { return true }
    guard let other = object._context as? Session else { return false }
    return other.store === store && !other.view.isFrozen
  }

  /// Deletes the objects of a query of this session.
  func delete(_ query: ObjectQuery) {
    let acting = acting
    guard acting === self else { return acting.delete(query) }
    guard let transaction = requireTransaction(query.table.info.className) else { return }
    _ = noting { () throws(RealmError) in try transaction.delete(query) }
  }

  /// Deletes every object of the given tables, or of all.
  func deleteAll(in tables: [Table]? = nil) {
    let acting = acting
    guard acting === self else { return acting.deleteAll(in: tables) }
    guard let transaction = requireTransaction("deleteAll") else { return }
    _ = noting { () throws(RealmError) in
      for table in tables ?? store.tables { try transaction.deleteAll(in: table) }
    }
  }
}
