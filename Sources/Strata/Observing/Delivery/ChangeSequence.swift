import Foundation
import StrataStorage
import Synchronization

/// An observation as an asynchronous sequence. Its elements are the changes that the closure of
/// `observe` gets.
///
/// ```swift
/// for try await change in realm.objects(Person.self).changes() {
///   if case .update(let people, _, let insertions, _) = change { greet(people, insertions) }
/// }
/// ```
/// Each iterator observes on its own, from its first call of `next()`. While the body of the loop
/// runs, the realm shows the snapshot of the change; afterwards the realm shows the newest snapshot
/// again. All commits during one run of the body are merged into one change. The loop ends when its
/// task is canceled. The loop throws when the file can't be read any more, or when the source can't
/// be observed.
public struct ChangeSequence<Element>: AsyncSequence {
  public typealias Failure = any Error

  let start: () throws(RealmError) -> ObservationStart<Element>

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(start: start) }

  /// An iterator that waits for changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let start: () throws(RealmError) -> ObservationStart<Element>
    private var observer: SequenceObserver<Element>?

    fileprivate init(start: @escaping () throws(RealmError) -> ObservationStart<Element>) {
      self.start = start
    }

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      if observer == nil { observer = try SequenceObserver(start()) }
      return try await observer?.next(isolation: actor)
    }
  }
}

/// The source of an observation, and the conversion of its changes into elements.
struct ObservationStart<Element> {
  var session: Session
  /// Returns the observed source; nil for a realm, which delivers an element for each snapshot.
  var source: () throws(RealmError) -> (any ObservationSource)?
  var hasInitial: Bool
  /// The states with which `translate` compares after silent transactions.
  var states: SilentStates?
  /// Converts a change into an element; nil to skip the change.
  var translate: (SourceChange, Session) -> Element?
  /// The element for a snapshot that changes nothing of the source.
  var versionElement: Element?
}

/// The observation of an iterator. Delivers on the isolation that calls `next()`.
final class SequenceObserver<Element> {
  private let start: ObservationStart<Element>
  private let center: ObservationCenter
  private let mailbox: Mailbox
  private let observation: Observation?
  private let signal = Signal()
  private var isOver = false
  /// Whether this observer holds the session at its snapshot for the body of the loop.
  private var isHolding = false
  private let received = ReceivedChanges()

  init(_ start: ObservationStart<Element>) throws {
    let source = try start.source()
    try start.session.checkObservable()
    self.start = start
    let session = start.session
    center = session.store.observationCenter
    let (signal, received) = (signal, received)
    mailbox = Mailbox(followsSnapshots: source == nil) { signal.send() }
    observation = source.map { source in
      Observation(source, hasInitial: start.hasInitial, seen: session.view.snapshot) {
        change, _ in received.add(change)
      }
    }
    try session.store.lookBeforeObserving()
    try center.add(observation, to: mailbox)
  }

  deinit {
    _ = observation?.end()
    center.remove(observation, from: mailbox)
    endHolding()
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
    endHolding()
    while !isOver {
      if let element = try takeNext() { return element }
      guard await signal.wait() else { break }
    }
    isOver = true
    return nil
  }

  private func takeNext() throws -> Element? {
    let session = start.session
    while let change = received.next() {
      switch change {
      case .failed(let error):
        isOver = true
        throw error
      case .deleted: isOver = true
      case .initial, .elements, .entries, .properties, .touched: break
      }
      if let element = start.translate(change, session) { return element }
      if isOver { return nil }
    }
    guard let mail = mailbox.take(notBefore: session.newestShown) else {
      // Observations receive the error through the mailbox.
      guard observation == nil, let error = mailbox.error else { return nil }
      isOver = true
      throw error
    }
    if session.showsNewest { isHolding = true }
    session.move(to: mail.snapshot)
    for news in mail.news { news.observation.deliver(news.change, session) }
    if mail.news.isEmpty, observation == nil { return start.versionElement }
    return try takeNext()
  }

  /// Returns the session to the newest snapshot, unless something else holds it.
  private func endHolding() {
    guard isHolding else { return }
    isHolding = false
    let session = start.session
    guard session.refreshesByItself, session.transaction == nil,
      session.notifier?.mailbox.isUsed != true
    else { return }
    session.stopHolding()
  }
}

/// The delivered changes that the caller hasn't received yet.
private final class ReceivedChanges {
  private var changes: ArraySlice<SourceChange> = []

  func add(_ change: SourceChange) { changes.append(change) }

  func next() -> SourceChange? { changes.popFirst() }
}
