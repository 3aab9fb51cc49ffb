import Foundation
import GRDB
import IssueReporting
import Logging
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
    if let other = otherActing { return other.add(object, policy) }
    guard let transaction = requireTransaction(type(of: object).className()) else { return }
    _ = noting { () throws(RealmError) in
      _ = try DraftWriter.add(object, policy, self, transaction)
    }
  }

  /// Creates an object from a value and adds it. An invalid value makes the transaction fail.
  func create(
    _ type: ObjectBase.Type, value: Any, _ policy: UpdatePolicy
  ) -> ObjectBase {
    if let other = otherActing { return other.create(type, value: value, policy) }
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
    if let other = otherActing { return other.delete(object) }
    guard let transaction = requireTransaction(type(of: object).className()) else { return }
    if object._state & ObjectState.deleted != 0 {
      stopForProgrammerError(object.deletedError.message)
    }
    _ = noting { () throws(RealmError) in
      guard isOfFile(object), let table = store.table(type(of: object)) else {
        throw RealmError(.fail, "Can only delete an object from the Realm it belongs to.")
      }
      guard !object.isFromBefore else { throw object.deletedError }
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

  func delete(_ query: ObjectQuery) {
    if let other = otherActing { return other.delete(query) }
    guard let transaction = requireTransaction(query.table.info.className) else { return }
    _ = noting { () throws(RealmError) in try transaction.delete(query) }
  }

  /// Deletes every object of the given tables, or of all.
  func deleteAll(in tables: [Table]? = nil) {
    if let other = otherActing { return other.deleteAll(in: tables) }
    guard let transaction = requireTransaction("deleteAll") else { return }
    _ = noting { () throws(RealmError) in
      for table in tables ?? store.tables { try transaction.deleteAll(in: table) }
    }
  }
}

/// Support for two sessions at one place: a task's own, and the session of an actor whose method
/// the task runs.
extension Session {
  /// The session whose transaction the caller is in: this one, or another one of the store.
  ///
  /// In a transaction of an actor, objects of the task's own realm can be changed, too.
  var acting: Session { otherActing ?? self }

  /// The other session of the store whose transaction the caller is in; nil if this session acts
  /// itself. A loop asks for this, because counting the references of a session is slow.
  var otherActing: Session? {
    if transaction != nil || view.isFrozen { return nil }
    if let writing = store.writer.queue.session(at: .current) {
      return writing === self ? nil : writing
    }
    if looksOld { lookAsBefore() }
    return nil
  }

  /// The session that reads for this one: another session while it writes at the same place. Asking
  /// the write queue each time would take an eighth of `results[i]`.
  var reader: Session { looksOld ? acting : self }

  /// Makes all objects stale, because another session of this place begins to write.
  func lookOld() {
    guard transaction == nil, !isShared else { return }
    looksOld = true
    clock = StampClock(startingAt: WriteTransaction.timeBeforeAll)
  }

  /// Called when the other session has ended its transaction, or the task has left its place.
  func lookAsBefore() {
    looksOld = false
    clock = viewClock
  }
}

extension Session {
  /// Writes the session's state, with the changes of its transaction, to a new file.
  ///
  /// - Throws: ``RealmError`` with code `fileExists`, `fileNotFound` for a missing folder,
  ///   `filePermissionDenied` or `fileAccess`, and `CancellationError`; then no copy exists.
  func writeCopy(to url: URL, _ key: FileKey?, _ cancellation: Cancellation?) throws {
    func failure(
      _ code: RealmError.Code, _ reason: String, _ error: (any Error)? = nil
    ) -> RealmError {
      RealmError(
        code,
        "The realm at path '\(store.file.path)' can't be copied to '\(url.path)': \(reason)",
        fileURL: url, underlyingError: error)
    }
    guard url.isFileURL else { throw failure(.fail, "It is not the URL of a file.") }
    let exists = failure(
      .fileExists, "A file exists already. Delete it first, or choose another name.")
    guard try StoreFile.inspect(url, forWriting: true) == .nothing else { throw exists }
    let permissions = FilePermissions(of: store.readers.publication?.url ?? store.file.url)?
      .writable
    let isPlaced: Bool
    do {
      isPlaced = try CopyDestination.fill(url) { temporary in
        let keys = DatabaseCopy.Keys(source: store.file.key, copy: key)
        try query {
          try DatabaseCopy.make(
            of: $0, at: temporary, like: permissions, keys, .compact, cancellation)
        }
      }
    } catch  where cancellation?.isCancelled == true {
      throw CancellationError()
    } catch {
      let error = RealmError(error, copying: store.file.url, to: url)
      throw failure(error.code, error.message, error)
    }
    guard isPlaced else { throw exists }
  }
}

extension Session {
  /// Invalidates everything that was read, and releases the snapshot.
  ///
  /// Rolls back a transaction, and cancels asynchronous writes that haven't begun.
  func invalidate() {
    guard !isShared else {
      reportIssue("A frozen Realm can't be invalidated: it shows one version for good. Release it.")
      return
    }
    reportPlace()
    if isInWriteTransaction {
      store.logger?.warning(
        "A realm was invalidated inside of a write transaction, which is rolled back.",
        metadata: ["path": "\(store.file.path)"])
      cancelWrite()
    }
    WriteBlocks.takeBack(of: self)
    currentObserver?.willLetGo()
    generation &+= 1
    // Each object is checked at its next use, and is then found to be of an earlier generation.
    store.clock.advance()
    if case .held = view { view = .newest }
    clock = store.clock
    reads?.didInvalidate()
  }
}

extension Store {
  func checkActiveVersions() throws(RealmError) {
    guard let maxActiveVersions = settings.maxActiveVersions else { return }
    let kept = snapshots.kept
    let count = Set(kept.map(\.number)).count
    guard count > maxActiveVersions else { return }
    let oldest = kept.sorted { $0.number < $1.number }.prefix(Self.maxNamed)
    let names = oldest.map { "version \($0.number): \($0.keepers)" }
    throw RealmError(
      .fail,
      "Number of active versions (\(count)) in the Realm exceeded the limit of "
        + "\(maxActiveVersions). The oldest are kept by \(names.joined(separator: "; ")). Release "
        + "what is frozen, let handlers return, and refresh realms without autorefresh.",
      fileURL: file.url)
  }

  /// The number of versions that a message names.
  private static let maxNamed = 3
}

extension Snapshot {
  /// The names of everything that keeps the snapshot, for messages.
  var keepers: String { uses.names.joined(separator: ", ") }
}
