extension Realm {
  /// The number of an asynchronous write, by which ``cancelAsyncWrite(_:)`` takes it back.
  public typealias AsyncTransactionId = UInt32

  /// Has a closure change objects when its turn comes, at the place of this realm.
  ///
  /// The call returns at once. Closures run one after the other, in the order of their calls; each
  /// is a transaction of its own. When the closure returns its changes are committed.
  ///
  /// ```swift
  /// realm.writeAsync { person.name = "Ada" } onComplete: { error in show(error) }
  /// ```
  /// The place must be one that can be woken: the main actor, an actor or a queue. In a thread or
  /// task that is reported through `IssueReporting`, and the closure runs on a queue of the
  /// library.
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

  /// Has a closure change objects when its turn comes, and end the transaction itself.
  ///
  /// As ``writeAsync(_:onComplete:)``, but a closure that returns without
  /// ``commitAsyncWrite(allowGrouping:_:)`` or ``commitWrite()`` takes its changes back.
  /// - Returns: The number of the write.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    WriteBlocks.of(session).add(commits: false, asyncWriteBlock, onComplete: nil)
  }

  /// Makes the changes of a transaction permanent, and tells the end later.
  ///
  /// The transaction has ended when the call returns, whatever began it.
  /// - Parameters:
  ///   - allowGrouping: Has no effect: each commit is permanent at once.
  ///   - onComplete: Called at the place of the realm after the caller has returned, with the error
  ///     that ``commitWrite()`` would throw. Without it, an error is reported through
  ///     `IssueReporting`.
  /// - Returns: A number by which the call of `onComplete` can be cancelled, not the commit.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let writing = session.acting
    return WriteBlocks.of(writing).commit(writing, onComplete: onComplete)
  }

  /// Takes back a closure of `writeAsync` or `beginAsyncWrite`, or the `onComplete` of a commit,
  /// which wasn't called yet.
  ///
  /// Within the closure, or for a number that isn't one of this realm, it has no effect.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    WriteBlocks.of(session).cancel(asyncTransactionId)
  }

  /// Whether an asynchronous write of this realm was begun or asked for, and has not ended.
  public var isPerformingAsynchronousWriteOperations: Bool {
    session.use.isWritingAsynchronously
  }
}
