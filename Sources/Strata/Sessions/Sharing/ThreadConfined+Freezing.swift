import IssueReporting
import StrataStorage

extension ThreadConfined {
  /// Whether it shows one snapshot for good, and may be read anywhere.
  public var isFrozen: Bool { _confined()?.session.isShared ?? false }

  /// The same as it is now, for good: it never changes, and any thread may read it.
  ///
  /// Everything that is read from it is frozen too: links, collections, results, its realm. All
  /// that is frozen of one snapshot shares a connection, which readers use in turn. As long as any
  /// of it is kept, the WAL can't be checkpointed beyond its snapshot, and grows with each commit:
  /// `realm.activeVersions` shows what is kept, and where it was frozen.
  ///
  /// ```swift
  /// let people = realm.objects(Person.self).freeze()
  /// queue.async { export(people) }
  /// ```
  /// Inside of `write` it is the state before the transaction.
  /// - Returns: The frozen one, or itself where it is frozen. What is in no realm, was deleted, or
  ///   was created in the transaction that is going on can't be frozen: that is reported through
  ///   `IssueReporting`, and the result is itself.
  public func freeze(fileID: String = #fileID, line: UInt = #line) -> Self {
    do throws(RealmError) {
      return try frozenOrError(CodeLocation(fileID: fileID, line: line))
    } catch {
      reportIssue("\(error.message)")
      return self
    }
  }

  /// The same as ``freeze(fileID:line:)``, for code that can handle the error.
  func frozenOrError(_ location: CodeLocation) throws(RealmError) -> Self {
    guard let confined = _confined() else {
      throw RealmError(.fail, isInvalidated ? ErrorText.deleted : ErrorText.unmanagedFreezing(self))
    }
    let session = confined.session
    guard !session.isShared else { return self }
    try session.checkPlace()
    if let (table, row) = confined.description.owner,
      session.transaction?.inserted.contains(row, in: table) == true
    {
      throw RealmError(.fail, ErrorText.freezingNew)
    }
    let frozen = try session.frozen(at: location)
    guard let found = confined.description.shown(frozen) as? Self else {
      throw RealmError(.fail, ErrorText.deleted)
    }
    return found
  }

  /// The same as it is now in a realm of the caller's place, where it can be changed and observed.
  ///
  /// - Parameter isolation: The actor of the caller, whose realm it then belongs to.
  /// - Returns: The live one, or itself where it isn't frozen; nil when it is gone there. For what
  ///   is in no realm that is reported through `IssueReporting`.
  public func thaw(isolation: (any Actor)? = #isolation) -> Self? {
    guard let confined = _confined() else {
      reportIssue("\(isInvalidated ? ErrorText.deleted : ErrorText.unmanagedThawing(self))")
      return nil
    }
    guard confined.session.isShared else { return self }
    let session = confined.session.store.session(isolatedTo: isolation)
    return confined.description.shown(session) as? Self
  }
}

extension ErrorText {
  fileprivate static let freezingNew =
    "Cannot freeze an object in the same write transaction as it was created in."

  fileprivate static func unmanagedFreezing(_ thing: Any) -> String {
    "Unmanaged \(kind(of: thing)) cannot be frozen."
  }

  fileprivate static func unmanagedThawing(_ thing: Any) -> String {
    "Unmanaged \(kind(of: thing)) cannot be thawed."
  }

  private static func kind(of thing: Any) -> String {
    thing is any Sequence ? "collections" : "objects"
  }
}
