import IssueReporting
import StrataStorage

extension Realm {
  /// Whether the realm shows one snapshot for good, and may be used anywhere.
  public var isFrozen: Bool { session.isShared }

  /// The realm as it is now, for good: any thread may read it, and none can write with it.
  ///
  /// All callers that freeze one snapshot of a file get the same realm. See
  /// ``ThreadConfined/freeze(fileID:line:)`` for what it costs to keep it.
  ///
  /// ```swift
  /// let frozen = realm.freeze()
  /// queue.async { print(frozen.objects(Person.self).count) }
  /// ```
  /// - Returns: The frozen realm. Where the file can't be read, and at another place than that of
  ///   the realm, that is reported through `IssueReporting`, and the result is this realm.
  public func freeze(fileID: String = #fileID, line: UInt = #line) -> Realm {
    do throws(RealmError) {
      try session.checkPlace()
      let frozen = try session.frozen(at: CodeLocation(fileID: fileID, line: line))
      return Realm(session: frozen, configuration: configuration)
    } catch {
      reportIssue("\(error.message)")
      return self
    }
  }

  /// The realm of the caller's place for the same file; itself where it isn't frozen.
  ///
  /// - Parameter isolation: The actor of the caller, whose realm it then is.
  public func thaw(isolation: (any Actor)? = #isolation) -> Realm {
    guard session.isShared else { return self }
    return Realm(
      session: session.store.session(isolatedTo: isolation), configuration: configuration)
  }

  /// The same as `freeze()` of an object or a collection.
  public func freeze<Thing: ThreadConfined>(
    _ thing: Thing, fileID: String = #fileID, line: UInt = #line
  ) -> Thing {
    thing.freeze(fileID: fileID, line: line)
  }

  /// The same as `thaw()` of an object or a collection.
  public func thaw<Thing: ThreadConfined>(
    _ thing: Thing, isolation: (any Actor)? = #isolation
  ) -> Thing? {
    thing.thaw(isolation: isolation)
  }
}
