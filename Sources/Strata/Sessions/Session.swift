import GRDB
import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The view that one place (a thread, a task, an actor) has of a store, and its write transaction.
///
/// Use at another place is an error that names both, or stops: two callers that write with one
/// session would take each other's transaction for their own. Checking the place costs about as
/// much as reading a property, so release builds don't check it when a property is read or set,
/// only for queries and for the beginning of transactions.
///
/// Outside of a transaction an object is current while its stamp equals the store's clock, which
/// advances with each commit. Inside, the session has a clock of its own, which advances with each
/// change: an object that another instance of its row has outdated is read again.
final class Session: ManagedContext, WriteUser {
  let store: Store
  let place: Place
  /// What is read outside of transactions.
  var view = View.newest {
    didSet {
      if let snapshot = oldValue.snapshot { snapshot.uses.end(ObjectIdentifier(self)) }
      if let snapshot = view.snapshot {
        snapshot.uses.begin(ObjectIdentifier(self)) { [place] in "\(place)" }
      }
    }
  }
  /// False when the program moves the session itself.
  var refreshesByItself = true
  /// The snapshot of the last own commit.
  var lastCommit: UInt64 = 0
  /// The newest snapshot that it was moved to, or that it showed at its last refresh.
  var lastMove: UInt64
  /// Made when something is first observed, perhaps by another place.
  let observer = Mutex<SessionObserver?>(nil)
  /// Hears what is read, while anything asks for it.
  var reads: SessionReads? {
    didSet { tracksReads = reads != nil }
  }
  let use = SessionUse()
  @exclusivity(unchecked) var transaction: WriteTransaction?
  @exclusivity(unchecked) var gone = GoneRows()
  /// Whether its objects look old, because another session of its place writes: what that changes
  /// is read by it.
  @exclusivity(unchecked) var looksOld = false

  /// The table that was looked up last: most programs use one class many times. The store keeps it.
  @exclusivity(unchecked) unowned(unsafe) private var lastTable: Table?

  init(_ store: Store, at place: Place) {
    self.store = store
    self.place = place
    lastMove = store.clock.now
    super.init(clock: store.clock)
  }

  /// Makes a session that shows one snapshot for good, and may be used anywhere.
  init(_ store: Store, frozenAt snapshot: Snapshot) {
    self.store = store
    place = .anywhere
    let clock = StampClock(startingAt: snapshot.number)
    view = .frozen(snapshot, clock)
    lastMove = snapshot.number
    super.init(clock: clock, isShared: true)
  }

  // The session has no transaction: the write queue would keep it alive.
  deinit {
    let identifier = ObjectIdentifier(self)
    view.snapshot?.uses.end(identifier)
    if case .frozen(let snapshot, _) = view {
      store.frozenSessions.remove(identifier, of: snapshot)
    } else {
      store.sessions.remove(identifier, at: place)
    }
    // Before the store, which may end with this session: a connection that still reads would keep
    // SQLite from emptying the WAL.
    observer.withLock { $0 = nil }
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

  override func note(_ error: RealmError) {
    guard let transaction else {
      reportIssue("\(error.message)")
      return
    }
    transaction.note(error)
  }

  /// The table of a class; nil for one that the realm doesn't have.
  @inline(__always)
  func table(_ type: ObjectBase.Type) -> Table? {
    // Several threads may use a frozen session.
    if isShared { return store.table(type) }
    if let last = lastTable, last.info.type == type { return last }
    let found = store.table(type)
    lastTable = found
    return found
  }

  // MARK: Places

  /// - Throws: ``RealmError`` with code `fail` at another place than that of the session.
  func checkPlace() throws(RealmError) {
    guard !place.isCurrent else { return }
    throw RealmError(.fail, incorrectThread, fileURL: store.file.url)
  }

  /// Stops at another place than that of the session, where nothing can be thrown.
  func requirePlace() {
    if !place.isCurrent { stopForProgrammerError(incorrectThread) }
  }

  /// Reports, once, that another place reads.
  func reportPlace() {
    guard !place.isCurrent, acting === self, use.noteMisuse() else { return }
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
      let table = lastTable, table.info.type == type(of: object), place.isCurrent,
      transaction.keepsCurrent(object, table)
    else { return false }
    object._stamp = clock.now
    return true
  }

  override func refresh(_ object: ObjectBase, slot: _PropertySlot) {
    guard let table = table(type(of: object)) else { return }
    if transaction == nil {
      let acting = acting
      guard acting === self else { return acting.refresh(object, slot: slot) }
    }
    reportPlace()
    do {
      guard try !isCurrent(object, table) else { return }
    } catch {
      // The transaction throws its own mistakes when it ends.
      if transaction?.error == nil { report(error) }
      return
    }
    if hasDeleted(object._rowID, in: table) {
      let message = object.misuse(ErrorText.deleted, slot: slot)
      markDeleted(object)
      stopForProgrammerError(message)
    }
    transaction?.lost.note(object)
    object._state |= ObjectState.vanished
  }

  override func noteRead(_ object: ObjectBase, slot: _PropertySlot) {
    guard let reads, let table = table(type(of: object)) else { return }
    reads.note(object, slot: slot, in: table)
  }

  override func isPresent(_ object: ObjectBase) -> Bool {
    guard let table = table(type(of: object)) else { return false }
    reads?.note(object, slot: nil, in: table)
    if object._stamp == clock.now { return true }
    let acting = acting
    guard acting === self else { return acting.isPresent(object) }
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
      let acting = acting
      if acting !== self { return acting.willWrite(object, slot: slot) }
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
    if object._state & ObjectState.vanished != 0 {
      transaction.note(RealmError(.fail, object.misuse(ErrorText.deleted, slot: slot)))
      return false
    }
    if slot == table.primaryKeySlot {
      transaction.note(RealmError(.fail, object.misuse(ErrorText.primaryKeyChange, slot: slot)))
      return false
    }
    // A collection writes its own rows.
    guard table.info.accessors[slot].columns > 0 else { return transaction.hasBegun }
    if object._dirty.isEmpty { transaction.willChange(object, in: table) }
    object._dirty.insert(slot)
    transaction.watched.note(slot, in: table)
    return true
  }
}

/// Hears what is read of a session, to tell its readers when it changes.
///
/// Its methods are called at the place of the session, those that note something before it is read.
class SessionReads {
  /// A property of an object; nil for whether there is the object.
  func note(_ object: ObjectBase, slot: _PropertySlot?, in table: Table) { mustOverride(self) }

  /// The elements of a collection.
  func note(_ collection: CollectionInfo, owner: Int64) { mustOverride(self) }

  /// Which objects a query finds, and in which order.
  func noteMembers(of query: ObjectQuery, key: @autoclosure () -> String) { mustOverride(self) }

  /// Values of objects of a class.
  func noteValues(in table: Table) { mustOverride(self) }

  /// More than can be told.
  func noteEverything() { mustOverride(self) }

  /// Called when the session has committed.
  ///
  /// - Parameter noted: The rows that were touched; nil when that isn't known.
  func didCommit(_ noted: NotedChanges?, _ details: CommitDetails, _ number: UInt64) {
    mustOverride(self)
  }

  /// Called when a transaction was taken back.
  func didCancel() { mustOverride(self) }

  /// Called when everything that was read is invalidated.
  func didInvalidate() { mustOverride(self) }
}

extension Session {
  /// The snapshot that is read, or on which a transaction goes on.
  var shownNumber: UInt64 { view.snapshot?.number ?? store.clock.now }
}
