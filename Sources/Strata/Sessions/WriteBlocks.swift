import Dispatch
import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The closures of the program that wait to write with a session. Each runs in a transaction of its
/// own, in the order of the calls, at the place of the session.
///
/// If the place can't be woken, the closures run on a queue of the library, with that queue's
/// session.
final class WriteBlocks: @unchecked Sendable {
  /// A closure that waits for its turn.
  struct Block {
    var number: UInt32
    var body: () -> Void
    /// Whether to commit a transaction that the closure has left open.
    var commits: Bool
    var onComplete: (((any Error)?) -> Void)?
  }

  private struct State: Sendable {
    var blocks: [PlaceBound<Block>] = []
    /// The numbers of commits whose handlers weren't called yet.
    var handlers: Set<UInt32> = []
    var turn: WriteTurn?
  }

  /// The session that these blocks belong to. It writes, unless the queue's session (`helper`)
  /// does.
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
      reportIssue(
        "Blocks can't be run asynchronously in \(session.place), which can't be woken: they run on a "
          + "queue of the library. Open the realm with 'Realm(queue:)' or 'Realm(actor:)', or use "
          + "'asyncWrite'.")
    }
    return blocks
  }

  // MARK: Waiting

  /// Schedules a closure to run in a transaction when its turn comes.
  ///
  /// - Returns: The number for ``cancel(_:)``.
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

  /// Cancels a closure, or the handler of a commit, that hasn't been called yet.
  func cancel(_ number: UInt32) {
    let (handler, block, turn) = state.withLock { state in
      let handler = state.handlers.remove(number)
      // Released outside of the lock: objects that only the closure holds may cancel others in
      // `deinit`.
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

  /// Requests a turn, if closures are waiting and no turn is requested.
  private func ask() {
    // Kept until the turn is over, because the turn needs them.
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

  /// Discards all closures, because their place no longer exists.
  private func lose() {
    let count = removeAll()
    session.store.logger?.notice(
      "\(count) asynchronous writes are lost: \(session.place) has ended before them.")
  }

  /// Cancels all closures that weren't called yet: the objects that they use are invalidated.
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

  /// Removes all closures and gives up the turn. Returns the number of closures.
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

  /// Reports the end of a closure, after the current turn of the place.
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
    // Keeps the session until the call, as the blocks do.
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

  /// Commits the transaction of the writing session, and reports the end after the current turn.
  ///
  /// - Returns: The number that cancels the call of the handler.
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
