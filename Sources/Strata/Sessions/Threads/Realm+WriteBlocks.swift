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
