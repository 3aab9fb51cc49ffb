import Dispatch
import Foundation
import GRDB
import Logging
import StrataStorage
import Synchronization

/// The observations of a store. Finds the changes of each snapshot that all places are to receive.
///
/// The center works on a queue of its own, so that neither a commit nor a place waits for it. It
/// doesn't retain the store; an observation does.
final class ObservationCenter: CommitReceiver, Sendable {
  private let snapshots: SnapshotStore
  private let tableSet: TableSet
  private let logger: Logger?
  private let url: URL
  private let queue = DispatchQueue(label: "Strata.observing", qos: .userInitiated)
  private let interest = Mutex(ObservedTables())
  private let incoming = Mutex(IncomingCommits())
  /// The snapshot up to which all changes are processed.
  private let latest = Mutex<Snapshot?>(nil)
  /// Changed only on the queue.
  private let mailboxes = Mutex<[Mailbox]>([])
  /// The most recently begun observation of each key. Changed only on the queue.
  private let lastBegun = Mutex<[StoredText: Observation]>([:])

  init(_ store: Store) {
    snapshots = store.snapshots
    tableSet = store.tableSet
    logger = store.logger
    url = store.file.url
  }

  // MARK: What is observed

  var isActive: Bool { interest.withLock { !$0.isEmpty } }

  func observesProperties(of className: String) -> Bool {
    interest.withLock { $0.classesWithProperties[className] != nil }
  }

  func observes(_ list: CollectionKey) -> Bool {
    interest.withLock { $0.lists[list] != nil }
  }

  /// Registers an observation, starting at the newest snapshot.
  ///
  /// All commits after the method returns are observed.
  func add(_ observation: Observation?, to mailbox: Mailbox) throws {
    // Comes first, so that a transaction that begins from now on records its changes.
    if let observation { interest.withLock { $0.add(observation.source) } }
    interest.withLock { $0.tokens += 1 }
    mailbox.uses.withLock { $0 += 1 }
    do {
      try snapshots.snapshot { snapshot in
        incoming.withLock { $0.seal() }
        queue.async { self.start(observation, mailbox, snapshot) }
      }
    } catch {
      remove(observation, from: mailbox)
      throw error
    }
  }

  /// Reverses ``add(_:to:)``.
  func remove(_ observation: Observation?, from mailbox: Mailbox) {
    let isLast = interest.withLock { interest in
      if let observation { interest.remove(observation.source) }
      interest.tokens -= 1
      return interest.isEmpty
    }
    mailbox.uses.withLock { $0 -= 1 }
    // Not on the queue: the caller may close the file right after this call.
    if !mailbox.isUsed { _ = mailbox.withdraw() }
    if isLast {
      keep(nil)
      incoming.withLock { $0 = IncomingCommits() }
    }
    queue.async { [self] in
      mailbox.observations.withLock { $0.removeAll { $0 === observation } }
      if let observation {
        lastBegun.withLock { if $0[observation.key] === observation { $0[observation.key] = nil } }
      }
      if !mailbox.isUsed { mailboxes.withLock { $0.removeAll { $0 === mailbox } } }
    }
  }

  private func keep(_ snapshot: Snapshot?) {
    latest.withLock { latest in
      latest?.uses.end(ObjectIdentifier(self))
      // Checked under the lock: the last observation may just have been removed.
      latest = isActive ? snapshot : nil
      latest?.uses.begin(ObjectIdentifier(self)) { "observations" }
    }
  }

  /// - Parameter asked: The newest snapshot when the observation was added.
  private func start(
    _ observation: Observation?, _ mailbox: Mailbox, _ asked: Snapshot
  ) {
    processIncoming(through: asked.number)
    mailboxes.withLock { mailboxes in
      if !mailboxes.contains(where: { $0 === mailbox }) { mailboxes.append(mailbox) }
    }
    guard mailbox.isUsed else { return }
    if latest.withLock({ $0 == nil }) { keep(asked) }
    guard let observation, observation.isActive else { return }
    mailbox.observations.withLock { $0.append(observation) }
    // Later commits may have been processed already: the queue was busy when the observation was
    // added.
    let newest = latest.withLock { $0 }.flatMap { $0.number > asked.number ? $0 : nil } ?? asked
    var mail = Mail(snapshot: newest, news: mailbox.withdraw()?.news ?? [])
    do {
      if let change = try begin(observation, seen: observation.takeSeen() ?? asked, newest) {
        mail.news.append(Mail.News(observation: observation, change: change))
      }
    } catch {
      mail.news.append(failure(error, of: observation))
    }
    mailbox.post(mail)
  }

  /// Begins with the state that the observer knows.
  ///
  /// - Returns: The first change to deliver, if any.
  private func begin(
    _ observation: Observation, seen: Snapshot, _ newest: Snapshot
  ) throws -> SourceChange? {
    let source = observation.source
    let known = observation.hasInitial ? newest : seen
    let first = ObservationState.Observed(
      number: known.number, state: try state(of: observation, in: known))
    observation.state.withLock { $0.begin(at: first, isTold: observation.hasInitial) }
    lastBegun.withLock { $0[observation.key] = observation }
    guard !observation.hasInitial else { return .initial }
    guard seen.number < newest.number else { return nil }
    // Changes that the realm doesn't show yet are delivered like later ones.
    var tables = ObservedTables()
    tables.add(source)
    let reader = ChangeReader(tableSet: tableSet, interest: tables)
    let changes = try reader.compare(seen, newest)
    let (state, change) = try newest.read { try source.change(from: first.state, changes, $0) }
    let observed = ObservationState.Observed(number: newest.number, state: state)
    observation.state.withLock { state in
      state.add(changes)
      state.propose(observed, isTold: change != nil)
    }
    return change
  }

  /// Returns the state of a source. The state is read once for all observations of the same source.
  private func state(of observation: Observation, in snapshot: Snapshot) throws -> SourceState {
    let other = lastBegun.withLock { $0[observation.key] }
    let known = other?.state.withLock { $0.state(in: snapshot.number) }
    return try known ?? snapshot.read { try observation.source.state($0) }
  }

  // MARK: Commits

  func receive(_ commit: Commit) {
    commit.details.rows?.record(commit.changes)
    let isFirst = incoming.withLock { $0.add(commit) }
    if isFirst { queue.async { self.processIncoming() } }
  }

  func missed(_ error: any Error) {
    logger?.error("A snapshot of '\(url.path)' can't be kept for observations: \(error)")
    incoming.withLock { $0.isIncomplete = true }
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in self?.catchUp() }
  }

  func failed(_ error: RealmError) {
    queue.async { [self] in
      guard let latest = latest.withLock({ $0 }) else { return }
      for mailbox in mailboxes.withLock({ $0 }) {
        mailbox.fail(error)
        let active = mailbox.observations.withLock { $0 }.filter(\.isActive)
        guard !active.isEmpty else { continue }
        mailbox.post(
          Mail(snapshot: latest, news: active.map { failure(error, of: $0) }))
      }
    }
  }

  /// Waits until all earlier commits are in the mailboxes.
  func finishPending() {
    queue.sync { processIncoming() }
  }

  /// Compares with the newest snapshot after a snapshot was missed.
  private func catchUp() {
    guard incoming.withLock({ $0.isIncomplete }), isActive else { return }
    do {
      try snapshots.snapshot { snapshot in
        receive(Commit(snapshot: snapshot, changes: nil, details: CommitDetails()))
      }
    } catch {
      missed(error)
    }
  }

  private func processIncoming(through number: UInt64 = .max) {
    while let commit = incoming.withLock({ $0.next(through: number) }) { process(commit) }
  }

  private func process(_ commit: IncomingCommits.Merged) {
    guard let latest = latest.withLock({ $0 }), latest.number < commit.snapshot.number,
      !mailboxes.withLock({ $0.isEmpty })
    else {
      // An observation that is about to begin uses this snapshot.
      if latest.withLock({ $0?.number ?? 0 }) < commit.snapshot.number { keep(commit.snapshot) }
      return
    }
    let changes: Result<CommitChanges, any Error> = Result {
      let reader = ChangeReader(tableSet: tableSet, interest: interest.withLock { $0 })
      guard let known = commit.known else { return try reader.compare(latest, commit.snapshot) }
      return try reader.resolve(known, latest, commit.snapshot)
    }
    keep(commit.snapshot)
    var round = ChangeRound(commit.snapshot, changes, silenced: commit.silenced)
    for mailbox in mailboxes.withLock({ $0 }) {
      let waiting = mailbox.withdraw()
      let news = mailbox.observations.withLock { $0 }.compactMap { observation -> Mail.News? in
        guard observation.isActive else { return nil }
        do {
          return try round.news(for: observation, waiting)
        } catch {
          return failure(error, of: observation)
        }
      }
      if mailbox.followsSnapshots || !news.isEmpty {
        mailbox.post(Mail(snapshot: commit.snapshot, news: news))
      }
    }
  }

  private func failure(_ error: any Error, of observation: Observation) -> Mail.News {
    let error = RealmError(error, at: url)
    logger?.error("An observation ends: \(error.loggedMessage)")
    return Mail.News(observation: observation, change: .failed(error))
  }
}

extension Store {
  /// The store's observation center, created by the first observation.
  var observationCenter: ObservationCenter { writer.log.receiver { ObservationCenter(self) } }

  /// Polls for commits of other processes before the first observation begins. The first poll of a
  /// store can't detect whether there was a commit, and must not be taken for a later one.
  func lookBeforeObserving() throws(RealmError) {
    if writer.log.receiver == nil { try refresh() }
  }
}

/// A queue of commits that wait to be processed. Merges commits, so that only the newest snapshot
/// is kept.
struct IncomingCommits: Sendable {
  private var waiting: [Merged] = []
  /// Whether the next commit must not be merged with the waiting ones.
  private var isSealed = false
  /// Whether a snapshot was missed. The next commit must be compared then.
  var isIncomplete = false

  /// Several commits merged into one.
  struct Merged: Sendable {
    var snapshot: Snapshot
    /// The recorded changes, in order; nil if the snapshots must be compared.
    var known: [Known]?
    var silenced: Set<ObjectIdentifier>

    /// Changes the value in place: a writer that is thousands of commits ahead waits for each call.
    fileprivate mutating func add(_ snapshot: Snapshot, _ newer: Known?) {
      self.snapshot = snapshot
      if let newer { known?.append(newer) } else { known = nil }
    }
  }

  struct Known: Sendable {
    var changes: RecordedChanges
    var details: CommitDetails
  }

  /// Adds a commit. Returns false if other commits were waiting already.
  mutating func add(_ commit: Commit) -> Bool {
    defer { isIncomplete = false }
    let known =
      isIncomplete ? nil : commit.changes.map { Known(changes: $0, details: commit.details) }
    let silenced = commit.details.silenced
    guard let last = waiting.indices.last else {
      append(commit, known)
      return true
    }
    // A silenced commit must not be merged with one that observations are notified of.
    if isSealed || !silenced.isEmpty || !waiting[last].silenced.isEmpty {
      append(commit, known)
    } else {
      waiting[last].add(commit.snapshot, known)
    }
    return false
  }

  private mutating func append(_ commit: Commit, _ known: Known?) {
    isSealed = false
    let silenced = commit.details.silenced
    waiting.append(
      Merged(snapshot: commit.snapshot, known: known.map { [$0] }, silenced: silenced))
  }

  /// Keeps later commits from being merged with the waiting ones.
  mutating func seal() { isSealed = true }

  /// Removes and returns the first waiting entry, if its snapshot isn't newer than `number`.
  mutating func next(through number: UInt64) -> Merged? {
    guard let first = waiting.first, first.snapshot.number <= number else { return nil }
    return waiting.removeFirst()
  }
}

/// The changes to deliver in the next turn of a place: a snapshot, and the changes up to it.
struct Mail: Sendable {
  let snapshot: Snapshot
  var news: [News]

  struct News: Sendable {
    let observation: Observation
    let change: SourceChange
    /// The snapshot with which the change begins; nil for the first state.
    var since: UInt64?
  }
}

/// The observations of one place, and the changes that wait until the place takes them.
///
/// A busy place finds one merged change per observation, with everything since its last turn.
final class Mailbox: Sendable {
  private let mail = Mutex<Mail?>(nil)
  /// Asks the place to take the mail soon. Called on any thread.
  private let wakePlace: @Sendable () -> Void
  /// Whether the place moves with each snapshot, and not only with changes.
  let followsSnapshots: Bool
  /// The number of tokens of observations and of the realm.
  let uses = Mutex(0)
  /// Changed only on the queue of the observation center.
  let observations = Mutex<[Observation]>([])
  /// The error after which no snapshot follows.
  private let failure = Mutex<RealmError?>(nil)

  init(followsSnapshots: Bool, wake: @escaping @Sendable () -> Void) {
    self.followsSnapshots = followsSnapshots
    wakePlace = wake
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }

  var error: RealmError? { failure.withLock { $0 } }

  /// Records the error after which no snapshot follows, and wakes the place once.
  func fail(_ error: RealmError) {
    let isFirst = failure.withLock { failure in
      defer { failure = error }
      return failure == nil
    }
    if isFirst { wakePlace() }
  }

  /// Removes and returns the mail that the place hasn't taken yet.
  func withdraw() -> Mail? { mail.withLock { $0.take() } }

  func post(_ mail: Mail) {
    self.mail.withLock { $0 = mail }
    wakePlace()
  }

  /// Removes and returns the mail. Returns nil if the place already shows a newer snapshot, because
  /// newer mail will follow.
  func take(notBefore number: UInt64) -> Mail? {
    mail.withLock { mail in
      guard let taken = mail, taken.snapshot.number >= number else { return nil }
      mail = nil
      return taken
    }
  }

  var isEmpty: Bool { number == nil }

  /// The number of the waiting snapshot; nil if there is no mail.
  var number: UInt64? { mail.withLock { $0?.snapshot.number } }
}
