extension Realm {
  /// Changes objects as an author, whom the history of the file names; otherwise as ``write(_:)``.
  ///
  /// ```swift
  /// try realm.write(author: "import") { realm.add(order) }
  /// ```
  /// - Parameters:
  ///   - author: The name of the author; nil for none. Without a history it has no effect.
  ///   - block: Changes objects.
  @discardableResult
  public func write<Result>(author: String?, _ block: () throws -> Result) throws -> Result {
    try session.beginWrite()
    session.transaction?.details.author = author
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Changes objects as an author, without blocking a thread while others write: see
  /// ``asyncWrite(_isolation:_:)`` and ``write(author:_:)``.
  @discardableResult
  public func asyncWrite<Result>(
    author: String?, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) async throws -> Result {
    let session = session
    return try await asyncWrite(_isolation: isolation) {
      session.transaction?.details.author = author
      return try block()
    }
  }

  /// Begins a transaction as an author: see ``beginWrite()`` and ``write(author:_:)``.
  public func beginWrite(author: String?) {
    session.beginWriteNoting()
    session.transaction?.details.author = author
  }
}
