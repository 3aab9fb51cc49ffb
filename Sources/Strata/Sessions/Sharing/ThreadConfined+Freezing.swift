import IssueReporting
import StrataStorage

extension ThreadConfined {
  /// Whether the value permanently shows one snapshot, and may be read anywhere.
  public var isFrozen: Bool { _confined()?.session.isShared ?? false }

  /// Returns a frozen version in the current state: it never changes, and any thread may read it.
  ///
  /// Everything that is read from a frozen value is frozen too: links, collections, results, its
  /// realm. All frozen values of one snapshot share a connection, which readers use in turn. While
  /// any of them is kept, the WAL can't be checkpointed beyond the snapshot, and grows with each
  /// commit: `realm.activeVersions` shows the kept versions, and where they were frozen.
  ///
  /// ```swift
  /// let people = realm.objects(Person.self).freeze()
  /// queue.async { export(people) }
  /// ```
  /// Inside of `write`, the result shows the state before the transaction.
  /// - Returns: The frozen value, or itself if it is frozen already. An unmanaged or deleted value,
  ///   or one that was created in the current transaction, can't be frozen: this is reported
  ///   through `IssueReporting`, and the result is the value itself.
  public func freeze(fileID: String = #fileID, line: UInt = #line) -> Self {
    do throws(RealmError) {
      return try frozenOrError(CodeLocation(fileID: fileID, line: line))
    } catch {
      reportIssue("\(error.message)")
      return self
    }
  }

  /// Freezes like ``freeze(fileID:line:)``, for code that can handle the error.
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

  /// Returns the live version in a realm of the caller's place, where it can be changed and
  /// observed.
  ///
  /// - Parameter isolation: The actor of the caller. The result belongs to this actor's realm.
  /// - Returns: The live value, or itself if it isn't frozen; nil if it no longer exists there. For
  ///   an unmanaged value, the call is reported through `IssueReporting`.
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
