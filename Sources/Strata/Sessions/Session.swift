import GRDB
import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The view that one place (a thread, a task, an actor) has of a store, and its write transaction.
///
/// Use at another place throws an error that names both places, or stops the process: two callers
/// that write with one session would share a transaction. Checking the place costs about as much as
/// reading a property. Release builds therefore check it for queries and at the beginning of
/// transactions only, not for property reads and writes.
///
/// Outside of a transaction, an object is current while its stamp equals the store's clock, which
/// advances with each commit. A transaction has a clock of its own, which advances with each
/// change: an object is read again after another instance of its row was changed.
final class Session: ManagedContext, WriteUser {
  let store: Store
  let place: Place
  /// The state that is read outside of transactions.
  var view = View.newest {
    didSet {
      if let snapshot = oldValue.snapshot { snapshot.uses.end(ObjectIdentifier(self)) }
      if let snapshot = view.snapshot {
        snapshot.uses.begin(ObjectIdentifier(self)) { [place] in "\(place)" }
      }
    }
  }
  /// Whether the session moves without the program's `refresh()`.
  var refreshesByItself = true
  /// The snapshot of the last own commit.
  var lastCommit: UInt64 = 0
  /// The newest snapshot that the session was moved to, or that it showed at its last refresh.
  var lastMove: UInt64
  /// Created by the first observation, perhaps at another place.
  let observer = Mutex<SessionObserver?>(nil)
  /// Records what is read; nil while nothing tracks reads.
  var reads: SessionReads? {
    didSet { tracksReads = reads != nil }
  }
  let use = SessionUse()
  /// Leads to this session, without retaining it.
  let reference = SessionReference()
  @exclusivity(unchecked) var transaction: WriteTransaction?
  @exclusivity(unchecked) var gone = DeletedRows()
  /// Whether objects must be read again because another session of this place writes. That session
  /// then reads for this one.
  @exclusivity(unchecked) var looksOld = false

  /// The table of the last lookup: most programs use one class many times. The store keeps the
  /// table.
  @exclusivity(unchecked) unowned(unsafe) private var lastTable: Table?

  init(_ store: Store, at place: Place) {
    self.store = store
    self.place = place
    lastMove = store.clock.now
    super.init(clock: store.clock)
    reference.begin(self)
  }

  /// Creates a session that permanently shows one snapshot, and may be used anywhere.
  init(_ store: Store, frozenAt snapshot: Snapshot) {
    self.store = store
    place = .anywhere
    let clock = StampClock(startingAt: snapshot.number)
    view = .frozen(snapshot, clock)
    lastMove = snapshot.number
    super.init(clock: clock, isShared: true)
    reference.begin(self)
  }

  // No transaction is open here: the write queue would have kept the session alive.
  deinit {
    reference.end()
    view.snapshot?.uses.end(ObjectIdentifier(self))
    if case .frozen(let snapshot, _) = view {
      store.frozenSessions.remove(reference, of: snapshot)
    } else {
      store.sessions.remove(reference, at: place)
    }
    // Released before the store, whose last reference may be this session's. A connection that
    // still reads would prevent SQLite from emptying the WAL.
    observer.withLock { $0 = nil }
    reads = nil
    view = .newest
  }

  /// Whether a realm of this session exists.
  var isHeld: Bool { use.holders.load(ordering: .relaxed) > 0 }

  override func sharesFile(with other: ManagedContext) -> Bool {
    if self === other { return true }
    guard let other = other as? Session else { return false }
    return other.store === store && !isShared && !other.isShared
  }

  override var file: ObjectIdentifier? { ObjectIdentifier(store) }

  override func className(of type: ObjectBase.Type) -> String {
    store.table(type)?.info.className ?? type.className()
  }

  override func record(_ error: RealmError) {
    guard let transaction else {
      reportIssue("\(error.message)")
      return
    }
    transaction.record(error)
  }

  /// The table of a class; nil for a class that the realm doesn't have.
  @inline(__always)
  func table(_ type: ObjectBase.Type) -> Table? {
    // Several threads may use a frozen session.
    if isShared { return store.table(type) }
    if let last = lastTable, last.type == type { return last }
    let found = store.table(type)
    lastTable = found
    return found
  }

  // MARK: Places

  /// - Throws: ``RealmError`` with code `fail` if the caller isn't at the session's place.
  func checkPlace() throws(RealmError) {
    guard !place.isCurrent else { return }
    throw RealmError(.fail, incorrectThread, fileURL: store.file.url)
  }

  /// Stops the process if the caller isn't at the session's place. For code that can't throw.
  func requirePlace() {
    if !place.isCurrent { stopForProgrammerError(incorrectThread) }
  }

  /// Reports a read at another place, once per session.
  func reportPlace() {
    guard !place.isCurrent, otherActing == nil, use.recordMisuse() else { return }
    reportIssue("\(incorrectThread)")
  }

  private var incorrectThread: String {
    ErrorText.incorrectThread(owner: "\(place)", current: "\(Place.current)")
  }

  #if DEBUG
    override func willUse() { reportPlace() }
  #endif

  // MARK: Bringing objects up to date

  override func keepsCurrent(_ object: ObjectBase) -> Bool {
    guard let transaction, object._state == ObjectState.managed, object._generation == generation,
      let table = lastTable, table.type == type(of: object), place.isCurrent,
      transaction.keepsCurrent(object, table)
    else { return false }
    object._stamp = clock.now
    return true
  }

  override func refresh(_ object: ObjectBase, slot: _PropertySlot) {
    guard let table = table(type(of: object)) else { return }
    if transaction == nil {
      if let other = otherActing { return other.refresh(object, slot: slot) }
    }
    reportPlace()
    do {
      guard try !isCurrent(object, table) else { return }
    } catch {
      // A transaction throws its own errors at its end.
      if transaction?.error == nil { report(error) }
      return
    }
    if hasDeleted(object._rowID, in: table) {
      let message = object.misuse(ErrorText.deleted, slot: slot)
      markDeleted(object)
      stopForProgrammerError(message)
    }
    transaction?.lost.record(object)
    object._state |= ObjectState.vanished
  }

  override func recordRead(_ object: ObjectBase, slot: _PropertySlot) {
    guard let reads, let table = table(type(of: object)) else { return }
    reads.record(object, slot: slot, in: table)
  }

  override func isPresent(_ object: ObjectBase) -> Bool {
    guard let table = table(type(of: object)) else { return false }
    reads?.record(object, slot: nil, in: table)
    if object._stamp == clock.now { return true }
    if let other = otherActing { return other.isPresent(object) }
    do {
      return try isCurrent(object, table)
    } catch {
      report(error)
      return false
    }
  }

  // MARK: Links and collections

  override func linkedObject(_ type: ObjectBase.Type, row: Int64) -> ObjectBase? {
    table(type).flatMap { objectIfReadable(row: row, in: $0) }
  }

  override func linkedObject(className: String, row: Int64) -> ObjectBase? {
    store.table(className: className).flatMap { objectIfReadable(row: row, in: $0) }
  }

  override func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    changeLink(slot, of: owner, to: target)
  }

  override func element(
    linkingTo object: ObjectBase, from owner: ObjectBase, _ slot: _PropertySlot
  ) throws(RealmError) -> _StoredElement {
    let acting = acting
    guard let table = table(Swift.type(of: owner)) else { return .null }
    return try acting.element(
      linkingTo: object, table.info.properties[slot], of: table.info.className)
  }

  override func rows(of owner: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? {
    guard let table = table(Swift.type(of: owner)), let info = table.collections[slot]
    else { return nil }
    return SessionCollection(
      self, table, info, owner: owner._rowID, generation: owner._generation)
  }

  // MARK: Changing properties

  override func willWrite(_ object: ObjectBase, slot: _PropertySlot) -> Bool {
    guard !isShared else {
      reportIssue("\(object.misuse(ErrorText.frozenObject, slot: slot))")
      return false
    }
    guard let transaction else {
      if let other = otherActing { return other.willWrite(object, slot: slot) }
      #if DEBUG
        requirePlace()
      #endif
      stopForProgrammerError(object.misuse(ErrorText.outsideWrite, slot: slot))
    }
    #if DEBUG
      requirePlace()
    #endif
    guard let table = table(type(of: object)) else { return false }
    if object._stamp != clock.now { refresh(object, slot: slot) }
    return transaction.willWrite(object, slot: slot, in: table)
  }
}

/// A recorder of a session's reads, which notifies the readers when the values change.
///
/// All methods are called at the place of the session. Reads are recorded before they happen.
class SessionReads {
  /// Records a read of a property, or, with nil, of whether the object exists.
  func record(_ object: ObjectBase, slot: _PropertySlot?, in table: Table) { mustOverride(self) }

  /// Records a read of a collection's elements.
  func record(_ collection: CollectionInfo, owner: Int64) { mustOverride(self) }

  /// Records a read of which objects a query finds, and in which order.
  func recordMembers(of query: ObjectQuery, key: @autoclosure () -> String) { mustOverride(self) }

  /// Records a read of values of a class's objects.
  func recordValues(in table: Table) { mustOverride(self) }

  /// Records a read that can't be described in detail: any change may affect it.
  func recordEverything() { mustOverride(self) }

  /// Called when the session has committed.
  ///
  /// - Parameter noted: The changed rows; nil if they aren't known.
  func didCommit(_ noted: RecordedChanges?, _ details: CommitDetails, _ number: UInt64) {
    mustOverride(self)
  }

  /// Called when a transaction was rolled back.
  func didCancel() { mustOverride(self) }

  /// Called when everything that was read is invalidated.
  func didInvalidate() { mustOverride(self) }
}

extension Session {
  /// The number of the snapshot that is read, or on which the transaction builds.
  var shownNumber: UInt64 { view.snapshot?.number ?? store.clock.now }
}
