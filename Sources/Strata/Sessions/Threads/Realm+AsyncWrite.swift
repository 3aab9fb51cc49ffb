public import Dispatch
import StrataStorage

extension Realm {
  /// Changes objects, all together or not at all, without blocking a thread while others write.
  ///
  /// Waits for earlier writers, in this process or another one. Then the closure runs in the
  /// isolation of the caller, and its changes are committed there: no other code of the actor sees
  /// a part of them. If the task is cancelled before the closure runs, the closure doesn't run.
  /// Later, cancellation has no effect.
  ///
  /// ```swift
  /// let ada = try await realm.asyncWrite { realm.create(Person.self, value: ["name": "Ada"]) }
  /// ```
  /// - Returns: The result of the closure.
  /// - Throws: As ``write(_:)`` does, and `CancellationError`.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    let session = session
    session.use.beginOperation()
    defer { session.use.endOperations() }
    try await session.beginWriteAwaiting(isolation: isolation)
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Shows the newest committed state, and delivers what changed, without blocking the thread.
  ///
  /// Checks for commits of other processes now, instead of within a fifth of a second.
  /// - Returns: Whether anything was new; false in a transaction, in a handler, and when the task
  ///   is cancelled.
  @discardableResult
  public func asyncRefresh(
    _isolation isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    session.reportPlace()
    do {
      return try await session.refreshAwaiting(isolation: isolation)
    } catch {
      session.report(error)
      return false
    }
  }
}

extension Realm {
  /// Opens a realm for an actor, and migrates its file away from the actor's thread.
  ///
  /// All tasks on the actor share the realm's state, its transactions and its observations. The
  /// compiler keeps the realm and its objects inside of the actor.
  ///
  /// ```swift
  /// actor Library {
  ///   private var realm: Realm!
  ///   init() async throws { realm = try await Realm(actor: self) }
  ///   func add(_ title: String) async throws {
  ///     try await realm.asyncWrite { _ = realm.create(Book.self, value: ["title": title]) }
  ///   }
  /// }
  /// ```
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - actor: The actor that will use the realm; the caller is on it.
  ///   - downloadBeforeOpen: Has no effect.
  /// - Throws: As ``open(configuration:downloadBeforeOpen:isolation:)`` does.
  public init<A: Actor>(
    configuration: Configuration = .current, actor: isolated A,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    self = try await Realm.open(configuration: configuration, isolation: actor)
  }

  /// Opens a realm for the main actor, and migrates its file away from the main thread.
  ///
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - downloadBeforeOpen: Has no effect. It has no default, or `try Realm()` in an asynchronous
  ///     function would need an `await`.
  /// - Throws: As ``open(configuration:downloadBeforeOpen:isolation:)`` does.
  @MainActor
  public init(
    configuration: Configuration = .current, downloadBeforeOpen: OpenBehavior
  ) async throws {
    self = try await Realm.open(configuration: configuration, isolation: MainActor.shared)
  }
}

extension Realm {
  /// Opens the realm of a queue, which all blocks on the queue share, whatever their threads.
  ///
  /// ```swift
  /// let queue = DispatchQueue(label: "importer")
  /// queue.async {
  ///   let realm = try! Realm(queue: queue)
  ///   token = realm.objects(Book.self).observe { change in print(change) }
  /// }
  /// ```
  /// - Parameters:
  ///   - configuration: The file, its classes and its migration.
  ///   - queue: A serial queue, on which the caller runs; nil for the place of the caller, as
  ///     `Realm(configuration:)` does.
  /// - Throws: As `Realm(configuration:)` does, and with code `fail` for a caller that isn't on the
  ///   queue, and for a queue that runs several blocks at once.
  public init(configuration: Configuration = .current, queue: DispatchQueue?) throws {
    guard let queue else {
      try self.init(configuration: configuration)
      return
    }
    guard let place = Place.remember(queue) else {
      throw Error(.fail, ErrorText.invalidQueue(queue.label))
    }
    guard place.isCurrent else { throw Error(.fail, ErrorText.incorrectQueue) }
    try self.init(configuration: configuration)
  }

  /// Opens the realm of a queue with the current configuration.
  ///
  /// - Throws: As ``init(configuration:queue:)`` does.
  public init(queue: DispatchQueue) throws {
    try self.init(configuration: .current, queue: queue)
  }
}

extension Realm {
  /// The number of an asynchronous write, for ``cancelAsyncWrite(_:)``.
  public typealias AsyncTransactionId = UInt32

  /// Runs a closure in a write transaction when its turn comes, at the place of this realm.
  ///
  /// The call returns at once. Closures run one after the other, in the order of their calls. Each
  /// has a transaction of its own, which is committed when the closure returns.
  ///
  /// ```swift
  /// realm.writeAsync { person.name = "Ada" } onComplete: { error in show(error) }
  /// ```
  /// The place must be one that can be woken: the main actor, an actor or a queue. In another
  /// thread or task, the call is reported through `IssueReporting`, and the closure runs on a queue
  /// of the library.
  /// - Parameters:
  ///   - block: The changes.
  ///   - onComplete: Called at the same place after the end, with the error that ``write(_:)``
  ///     would throw. Without it, an error is reported through `IssueReporting`.
  /// - Returns: The number of the write.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    WriteBlocks.of(session).add(commits: true, block, onComplete: onComplete)
  }

  /// Runs a closure, which commits the transaction itself, when its turn comes.
  ///
  /// Like ``writeAsync(_:onComplete:)``, but the changes are rolled back if the closure returns
  /// without ``commitAsyncWrite(allowGrouping:_:)`` or ``commitWrite()``.
  /// - Returns: The number of the write.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    WriteBlocks.of(session).add(commits: false, asyncWriteBlock, onComplete: nil)
  }

  /// Commits the transaction, and calls a handler later.
  ///
  /// The transaction has ended when the call returns, no matter how it was begun.
  /// - Parameters:
  ///   - allowGrouping: Has no effect: each commit is permanent at once.
  ///   - onComplete: Called at the place of the realm after the caller has returned, with the error
  ///     that ``commitWrite()`` would throw. Without it, an error is reported through
  ///     `IssueReporting`.
  /// - Returns: A number that cancels the call of `onComplete`, but not the commit.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let writing = session.acting
    return WriteBlocks.of(writing).commit(writing, onComplete: onComplete)
  }

  /// Cancels a closure of `writeAsync` or `beginAsyncWrite`, or the `onComplete` of a commit, which
  /// wasn't called yet.
  ///
  /// Has no effect within the closure, or for a number that doesn't belong to this realm.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    WriteBlocks.of(session).cancel(asyncTransactionId)
  }

  /// Whether an asynchronous write of this realm was requested and has not ended.
  public var isPerformingAsynchronousWriteOperations: Bool {
    session.use.isWritingAsynchronously
  }
}

extension Session {
  /// Polls for commits of other processes, waits until all commits are processed, and moves to the
  /// newest snapshot.
  ///
  /// - Returns: Whether anything was new; false if the task is canceled.
  func refreshAwaiting(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RealmError) -> Bool {
    guard canRefresh, !Task.isCancelled else { return false }
    let before = lastMoveOrCommit
    let found = await lookForCommits()
    guard canRefresh, !Task.isCancelled else { return false }
    // Before the error is thrown: delivers pending mail, with which observers get the same error.
    _ = currentObserver?.deliverPending()
    let isForeign = try found.get()
    try moveToNewest()
    return recordRefresh(since: before) || isForeign
  }

  private var canRefresh: Bool {
    transaction == nil && !view.isFrozen && currentObserver?.isDelivering != true
  }

  /// Polls on a thread that may block: reading waits for the disk, and finding the changes waits
  /// for statements.
  private func lookForCommits(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Bool, RealmError> {
    let (store, center) = (store, notifier?.center)
    return await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        let found = Result { () throws(RealmError) in try store.refresh() }
        center?.finishPending()
        continuation.resume(returning: found)
      }
    }
  }
}
