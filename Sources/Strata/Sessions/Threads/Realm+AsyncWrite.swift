extension Realm {
  /// Changes objects, all together or not at all, without blocking a thread while others write.
  ///
  /// Waits for the writers before, in this process or another one. Then the closure runs where the
  /// caller is isolated, and its changes are committed there: no other code of the actor sees a
  /// part of them. When the task is cancelled before the closure runs, it doesn't run; afterwards
  /// the cancellation has no effect.
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
  /// Commits of other processes are looked for now, instead of within a fifth of a second.
  /// - Returns: Whether there was anything new; false in a transaction, in a handler, and when the
  ///   task is cancelled.
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
