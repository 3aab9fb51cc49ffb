import Observation
import StrataStorage

/// The recorded reads of a session, each with the registrar that notifies its readers.
///
/// A registrar belongs to the stored thing, not to an instance: each link creates another instance
/// of the same object. Readers can't be asked whether they observe changes. For this reason each
/// read of a tracking session is recorded. Changed things are dropped; the next read records them
/// again.
final class ReadRegistrars: SessionReads {
  private unowned let session: Session
  private var entries: [ReadThing: Entry] = [:]
  private var uses: UInt64 = 0
  private var lastSweep: ContinuousClock.Instant?
  private var isSweepWanted = false
  /// The observation that reports changes of others, and its mailbox.
  private let observation: Observation
  private let center: ObservationCenter
  private let mailbox: Mailbox

  /// The number of entries beyond which the oldest are dropped.
  private static let maxEntries = 10_000
  /// The number of entries beyond which property reads are recorded per class.
  private static let maxPropertyEntries = 100_000
  /// The shortest time between two sweeps. Code that reads more than the limit is notified, and
  /// reads again, no more often than this.
  private static let betweenSweeps = Duration.seconds(10)

  private final class Entry {
    let registrar = ObservationRegistrar()
    /// The snapshot that was shown at the first read.
    let since: UInt64
    /// Whether the first read was inside of a transaction, which may be rolled back.
    let isProvisional: Bool
    let query: ReadQuery?
    var lastUse: UInt64 = 0

    init(since: UInt64, isProvisional: Bool, _ query: ReadQuery?) {
      self.since = since
      self.isProvisional = isProvisional
      self.query = query
    }
  }

  init(_ session: Session, _ notifier: SessionNotifier) {
    self.session = session
    observation = Observation(ReadsSource(session.store), hasInitial: false) { _, _ in }
    center = notifier.center
    mailbox = notifier.mailbox
  }

  deinit { end() }

  /// Begins to observe commits of others.
  func begin() throws {
    try observation.register { try center.add(observation, to: mailbox) }
  }

  private func end() {
    _ = observation.end()
    if observation.unregister() { center.remove(observation, from: mailbox) }
  }

  /// Ends the tracking: notifies all readers one last time.
  func stop() {
    end()
    notify(remove { _, _ in true })
  }

  var count: Int { entries.count }

  // MARK: Reads

  override func record(_ object: ObjectBase, slot: _PropertySlot?, in table: Table) {
    guard let slot else {
      record(.presence(table: table.index, row: object._rowID))
      return
    }
    if entries.count >= Self.maxPropertyEntries {
      record(.values(table: table.index))
    } else {
      record(.property(table: table.index, row: object._rowID, slot: slot))
    }
  }

  override func record(_ collection: CollectionInfo, owner: Int64) {
    record(.elements(collection: collection.index, owner: owner))
  }

  override func recordMembers(of query: ObjectQuery, key: @autoclosure () -> String) {
    record(.members(query: key()), ReadQuery(query, session.store.tableSet))
  }

  override func recordValues(in table: Table) { record(.values(table: table.index)) }

  override func recordEverything() { record(.everything) }

  private func record(_ thing: ReadThing, _ query: @autoclosure () -> ReadQuery? = nil) {
    let entry: Entry
    if let known = entries[thing] {
      entry = known
    } else {
      entry = Entry(
        since: session.shownNumber, isProvisional: session.transaction != nil, query())
      entries[thing] = entry
      if entries.count > Self.maxEntries { requestSweep() }
    }
    uses += 1
    entry.lastUse = uses
    entry.registrar.access(ReadSubject(), keyPath: \.value)
  }

  // MARK: Changes

  /// Notifies the readers of the changes in a mail, before the session moves.
  ///
  /// - Returns: The registrars to notify after the move.
  func willMove(with mail: Mail) -> [ObservationRegistrar] {
    sweepIfWanted()
    let news = mail.news.first { $0.observation === observation }
    switch news?.change {
    case .touched(let changes): return willChange(changes, mail.snapshot.number)
    // The file can't be read any more.
    case .failed: return willChange(remove { _, _ in true })
    default: return []
    }
  }

  override func didCommit(
    _ noted: RecordedChanges?, _ details: CommitDetails, _ number: UInt64
  ) {
    // Unrecorded changes are reported by the observation.
    guard let noted else { return }
    var changes = CommitChanges()
    changes.rows = noted.tables
    changes.properties = details.properties
    for (className, rows) in noted.tables where session.store.tableSet[className] != nil {
      for row in rows.members where changes.properties[className]?[row] == nil {
        changes.properties[className, default: [:]][row] = .all
      }
    }
    willChange(changes, number).didChange()
    sweepIfWanted()
  }

  override func didCancel() { notify(remove { _, entry in entry.isProvisional }) }

  override func didInvalidate() { notify(remove { _, _ in true }) }

  private func willChange(_ changes: CommitChanges, _ number: UInt64) -> [ObservationRegistrar] {
    let tables = session.store.tableSet.tables
    let collections = session.store.tableSet.collectionNames
    return willChange(
      remove { thing, entry in
        // Code that has read this snapshot, or a later one, already knows.
        guard entry.since < number else { return false }
        switch thing {
        case .property(let table, let row, let slot):
          let changed = changes.properties(of: row, in: tables[table].info.className)
          return changed.contains(slot)
        case .presence(let table, let row):
          return changes.properties(of: row, in: tables[table].info.className).isAll
        case .elements(let collection, let owner):
          return changes.touches(CollectionKey(table: collections[collection], owner: owner))
        case .members: return entry.query?.isChanged(by: changes) ?? true
        case .values(let table): return changes.touches(tables[table].info.className)
        case .everything: return true
        }
      })
  }

  /// Removes the matching entries, and returns their registrars.
  private func remove(_ matches: (ReadThing, Entry) -> Bool) -> [ObservationRegistrar] {
    let meant = entries.filter { matches($0.key, $0.value) }
    for thing in meant.keys { entries[thing] = nil }
    return meant.values.map(\.registrar)
  }

  private func willChange(_ registrars: [ObservationRegistrar]) -> [ObservationRegistrar] {
    for registrar in registrars { registrar.willSet(ReadSubject(), keyPath: \.value) }
    return registrars
  }

  private func notify(_ registrars: [ObservationRegistrar]) { willChange(registrars).didChange() }

  // MARK: The limit

  /// Requests a sweep on the session's place. The sweep runs later, because code that is just
  /// reading doesn't observe its reads yet.
  private func requestSweep() {
    guard !isSweepWanted else { return }
    if let lastSweep, ContinuousClock.now - lastSweep < Self.betweenSweeps { return }
    isSweepWanted = true
    let reference = session.reference
    session.place.run {
      (reference.object?.reads as? ReadRegistrars)?.sweepIfWanted()
    }
  }

  /// Drops the older half of the entries, which are least likely to have observers, and notifies
  /// their readers, which read again.
  private func sweepIfWanted() {
    guard isSweepWanted else { return }
    isSweepWanted = false
    lastSweep = .now
    let used = entries.values.map(\.lastUse).sorted()
    guard used.count > Self.maxEntries / 2 else { return }
    let oldest = used[used.count - Self.maxEntries / 2]
    notify(remove { _, entry in entry.lastUse < oldest })
  }
}

extension [ObservationRegistrar] {
  /// Notifies the registrars that the announced change has happened.
  func didChange() {
    for registrar in self { registrar.didSet(ReadSubject(), keyPath: \.value) }
  }
}

/// The subject that a registrar's key path needs.
private struct ReadSubject: Observable {
  var value: Void { () }
}
