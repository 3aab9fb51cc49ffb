import Dispatch
import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The closures of the program that wait to write with a session: each in a transaction of its own,
/// in the order in which they came, at the place of the session.
///
/// Where a place can't be woken, the closures run on a queue of the library, with a session of
/// that.
final class WriteBlocks: @unchecked Sendable {
  /// A closure that waits.
  struct Block {
    var number: UInt32
    var body: () -> Void
    /// Whether the transaction is committed when the closure has left it open.
    var commits: Bool
    var onComplete: (((any Error)?) -> Void)?
  }

  private struct State: Sendable {
    var blocks: [PlaceBound<Block>] = []
    /// The handlers of commits that are still to be called.
    var handlers: Set<UInt32> = []
    /// While one is asked for.
    var turn: WriteTurn?
  }

  /// The session that writes: the one that has these, or that of the queue.
  // guarded by: its place; other threads take no more of it than its store, its place and its uses.
  private unowned let own: Session
  private let helper: PlaceBound<Session>?
  private let queue: DispatchQueue?
  private let state = Mutex(State())
  private static let lastNumber = Atomic<UInt32>(0)

  private var session: Session { helper?.value ?? own }

  private init(_ session: Session) {
    own = session
    guard !session.place.canBeWoken else {
      (helper, queue) = (nil, nil)
      return
    }
    let queue = DispatchQueue(label: "Strata.writing")
    self.queue = queue
    helper = Place.remember(queue).map {
      PlaceBound(session.store.sessions.session(at: $0, nil, in: session.store))
    }
  }

  static func of(_ session: Session) -> WriteBlocks {
    let (blocks, isNew) = session.use.blocks.withLock { blocks in
      if let blocks { return (blocks, false) }
      let made = WriteBlocks(session)
      blocks = made
      return (made, true)
    }
    if isNew, blocks.helper != nil {
      reportIssue("\(ErrorText.asyncWriteInSleepingPlace("\(session.place)"))")
    }
    return blocks
  }

  // MARK: Waiting

  /// Has a closure run in a transaction when its turn comes.
  ///
  /// - Returns: The number by which it can be cancelled.
  func add(
    commits: Bool, _ body: @escaping () -> Void, onComplete: (((any Error)?) -> Void)?
  ) -> UInt32 {
    let number = Self.nextNumber()
    let block = Block(number: number, body: body, commits: commits, onComplete: onComplete)
    own.use.beginOperation()
    state.withLock { [block = PlaceBound(block)] in $0.blocks.append(block) }
    ask()
    return number
  }

  private static func nextNumber() -> UInt32 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Takes back a closure, or the handler of a commit, that hasn't been called yet.
  func cancel(_ number: UInt32) {
    let (handler, block, turn) = state.withLock { state in
      let handler = state.handlers.remove(number)
      // Released outside of the lock: what only the closure has may cancel others at its end.
      let index = state.blocks.firstIndex { $0.value.number == number }
      let block = index.map { state.blocks.remove(at: $0) }
      let turn = state.blocks.isEmpty ? state.turn : nil
      if turn != nil { state.turn = nil }
      return (handler, block, turn)
    }
    if let turn { session.store.writer.queue.giveUp(turn) }
    if handler != nil || block != nil { finished() }
  }

  private func finished() { own.use.endOperations() }

  /// Asks for a turn, if there is something to do and none is asked for.
  private func ask() {
    // Until the turn is over, what is needed for it stays.
    let needed = PlaceBound(
      (blocks: self, own: own, session: session, queue: session.place.queue))
    let turn = state.withLock { state -> WriteTurn? in
      guard state.turn == nil, !state.blocks.isEmpty else { return nil }
      let session = needed.value.session
      state.turn = session.store.writer.turn(of: session) {
        let woken = needed.value.session.place.run { needed.value.blocks.takeTurn() }
        if !woken { needed.value.blocks.lose() }
      }
      return state.turn
    }
    guard let turn else { return }
    do throws(RealmError) {
      try session.store.writer.queue.ask(turn, by: 0, session.store.file.url)
    } catch {
      session.report(error)
    }
  }

  /// Called when the place has ended: nothing can be called there any more.
  private func lose() {
    let count = removeAll()
    session.store.logger?.notice(
      "\(count) asynchronous writes are lost: \(session.place) has ended before them.")
  }

  /// Takes back all closures that haven't been called yet: what they were to change is invalidated.
  static func takeBack(of session: Session) {
    session.use.blocks.withLock { $0 }?.takeBack()
  }

  private func takeBack() {
    let count = removeAll()
    guard count > 0 else { return }
    session.store.logger?.warning(
      "A realm was invalidated before \(count) asynchronous writes, which are taken back.",
      metadata: ["path": "\(session.store.file.path)"])
  }

  /// - Returns: How many there were.
  private func removeAll() -> Int {
    let (turn, blocks) = state.withLock { state in
      defer {
        state.turn = nil
        state.blocks = []
      }
      return (state.turn, state.blocks)
    }
    if let turn { session.store.writer.queue.giveUp(turn) }
    own.use.endOperations(blocks.count)
    return blocks.count
  }

  // MARK: Running, at the place

  private func takeTurn() {
    guard let turn = state.withLock({ $0.turn }) else { return }
    do {
      guard try session.beginWrite(with: turn) else { return }
    } catch is CancellationError {
      return
    } catch {
      finish(takeFirst(), error)
      ask()
      return
    }
    if let block = takeFirst() { run(block) } else { session.cancelWrite() }
    ask()
  }

  private func takeFirst() -> Block? {
    let block = state.withLock { state in
      state.turn = nil
      return state.blocks.isEmpty ? nil : state.blocks.removeFirst()
    }
    return block?.value
  }

  private func run(_ block: Block) {
    block.body()
    guard session.isInWriteTransaction else {
      finish(block, nil)
      return
    }
    guard block.commits else {
      session.cancelWrite()
      finish(block, nil)
      return
    }
    do throws(RealmError) {
      try session.commitWrite()
      finish(block, nil)
    } catch {
      finish(block, error)
    }
  }

  /// Tells the end of a closure, after this turn of the place.
  private func finish(_ block: Block?, _ error: (any Error)?) {
    guard let block else { return }
    if let onComplete = block.onComplete {
      later(block.number, error, onComplete)
    } else {
      if let error { session.report(RealmError(error, at: session.store.file.url)) }
      finished()
    }
  }

  private func later(
    _ number: UInt32, _ error: (any Error)?, _ onComplete: @escaping ((any Error)?) -> Void
  ) {
    state.withLock { _ = $0.handlers.insert(number) }
    // Until the call its session stays, as the blocks do.
    let call = PlaceBound((own: own, error: error, onComplete: onComplete))
    let woken = session.place.run { [self] in
      withExtendedLifetime(call.value.own) {
        guard state.withLock({ $0.handlers.remove(number) }) != nil else { return }
        finished()
        call.value.onComplete(call.value.error)
      }
    }
    if !woken { finished() }
  }

  // MARK: Commits

  /// Commits the transaction of the session that writes, and tells the end after this turn.
  ///
  /// - Returns: The number by which the call of the handler can be cancelled.
  func commit(
    _ writing: Session, onComplete: (((any Error)?) -> Void)?
  ) -> UInt32 {
    let number = Self.nextNumber()
    own.use.beginOperation()
    let result = Result { () throws(RealmError) in try writing.commitWrite() }
    let error: RealmError? = if case .failure(let error) = result { error } else { nil }
    finish(Block(number: number, body: {}, commits: true, onComplete: onComplete), error)
    return number
  }
}
