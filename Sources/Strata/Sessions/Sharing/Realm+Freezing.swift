import IssueReporting
import StrataStorage

extension Realm {
  /// Whether the realm permanently shows one snapshot, and may be used anywhere.
  public var isFrozen: Bool { session.isShared }

  /// A frozen realm in the current state: any thread may read from it, and none can write with it.
  ///
  /// All callers that freeze one snapshot of a file get the same realm. See
  /// ``ThreadConfined/freeze(fileID:line:)`` for the cost of keeping a frozen realm.
  ///
  /// ```swift
  /// let frozen = realm.freeze()
  /// queue.async { print(frozen.objects(Person.self).count) }
  /// ```
  /// - Returns: The frozen realm. If the file can't be read, or the caller isn't at the place of
  ///   the realm, the failure is reported through `IssueReporting`, and the result is this realm.
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

  /// The realm of the caller's place for the same file; this realm if it isn't frozen.
  ///
  /// - Parameter isolation: The actor of the caller. The result is this actor's realm.
  public func thaw(isolation: (any Actor)? = #isolation) -> Realm {
    guard session.isShared else { return self }
    return Realm(
      session: session.store.session(isolatedTo: isolation), configuration: configuration)
  }

  /// Freezes an object or a collection, as its `freeze()` does.
  public func freeze<Thing: ThreadConfined>(
    _ thing: Thing, fileID: String = #fileID, line: UInt = #line
  ) -> Thing {
    thing.freeze(fileID: fileID, line: line)
  }

  /// Thaws an object or a collection, as its `thaw()` does.
  public func thaw<Thing: ThreadConfined>(
    _ thing: Thing, isolation: (any Actor)? = #isolation
  ) -> Thing? {
    thing.thaw(isolation: isolation)
  }
}
