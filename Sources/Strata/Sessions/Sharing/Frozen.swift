import IssueReporting
import StrataStorage

/// A wrapper for a frozen object or collection that can be sent to other tasks and actors.
///
/// Whether an object is frozen isn't part of its type, so the compiler must assume that no object
/// can be shared. This wrapper holds only frozen values, and gives them out for reading.
///
/// ```swift
/// let ada = try person.frozen()
/// Task.detached { print(ada.name, ada.dog?.name ?? "no dog", ada.dogs.count) }
/// ```
/// Objects and collections that are read from the wrapper are wrapped as well.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
  // guarded by: nothing; it is frozen, and what it remembers has a lock.
  let value: Value

  /// - Parameter value: A frozen object or collection.
  init(frozen value: Value) {
    self.value = value
  }

  /// A property whose values can be shared.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  /// The object that a link leads to; nil for a link that is nil.
  public subscript<Member: ObjectBase>(
    dynamicMember keyPath: KeyPath<Value, Member?>
  ) -> Frozen<Member>? {
    value[keyPath: keyPath].map { Frozen<Member>(frozen: $0) }
  }

  /// A collection.
  public subscript<Member: ThreadConfined>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> Frozen<Member> {
    Frozen<Member>(frozen: value[keyPath: keyPath])
  }

  /// Calls a closure with the frozen object or collection, for reads that no key path can express.
  ///
  /// - Returns: The result of the closure.
  public func read<Result: Sendable>(_ body: (Value) throws -> Result) rethrows -> Result {
    try body(value)
  }

  /// The live object or collection at the place of the caller; nil if it no longer exists there.
  ///
  /// - Parameter isolation: The actor of the caller.
  public func thaw(isolation: (any Actor)? = #isolation) -> Value? {
    value.thaw(isolation: isolation)
  }
}

extension ThreadConfined {
  /// Freezes like `freeze()`, and returns a value that can be sent to other tasks and actors.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for an unmanaged or deleted object or collection,
  ///   and for one that was created in the current transaction.
  public func frozen(fileID: String = #fileID, line: UInt = #line) throws -> Frozen<Self> {
    Frozen(frozen: try frozenOrError(CodeLocation(fileID: fileID, line: line)))
  }
}

extension Frozen: Equatable where Value: Equatable {}

extension Frozen: Hashable where Value: Hashable {}

extension Frozen: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: RealmCollection, Value.Element: ThreadConfined {
  public typealias Index = Int

  public var startIndex: Int { 0 }
  public var endIndex: Int { value.count }

  /// The object at a position. A position out of range stops the process, as with an array.
  public subscript(position: Int) -> Frozen<Value.Element> {
    Frozen<Value.Element>(frozen: value[position])
  }

  /// Iterates over the objects without a lookup of each position.
  public func makeIterator() -> AnyIterator<Frozen<Value.Element>> {
    var objects = value.makeIterator()
    return AnyIterator { objects.next().map { Frozen<Value.Element>(frozen: $0) } }
  }
}

extension Frozen where Value: RealmCollection, Value.Element: Sendable {
  /// The elements of a collection of values.
  public var elements: [Value.Element] { Array(value) }
}

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

extension RealmCollectionChange where Collection: ThreadConfined {
  /// The same change with a frozen collection, in its current state.
  ///
  /// For code that waits while it works on a change. During an `await`, other code of the same
  /// actor may write and move the realm, and the change's positions no longer fit the collection.
  /// The positions of the frozen change always fit its collection.
  ///
  /// ```swift
  /// for try await change in members.changes() {
  ///   let change = change.frozen()
  ///   if case .update(let members, _, let insertions, _) = change {
  ///     for index in insertions { await greet(members[index].name) }
  ///   }
  /// }
  /// ```
  /// Call it before the first `await`. See ``ThreadConfined/freeze(fileID:line:)`` for the cost of
  /// keeping a frozen collection. A collection whose object was deleted stays as it is: empty.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let collection):
      .initial(collection.frozenIfThere(fileID, line))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        collection.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange where Collection: ThreadConfined {
  /// The same change with a frozen map, in its current state.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let map): .initial(map.frozenIfThere(fileID, line))
    case .update(let map, let deletions, let insertions, let modifications):
      .update(
        map.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange where Collection: ThreadConfined {
  /// The same change with frozen sections, in their current state.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    switch self {
    case .initial(let sections): .initial(sections.frozenIfThere(fileID, line))
    case .update(
      let sections, let deletions, let insertions, let modifications, let newSections,
      let oldSections):
      .update(
        sections.frozenIfThere(fileID, line), deletions: deletions, insertions: insertions,
        modifications: modifications, sectionsToInsert: newSections, sectionsToDelete: oldSections)
    }
  }
}

extension ObjectChange where T: ThreadConfined {
  /// The same change with a frozen object, in its current state. The old and new objects of changed
  /// links are frozen, too.
  ///
  /// For code that waits while it works on a change: see `frozen` of ``RealmCollectionChange``.
  public func frozen(fileID: String = #fileID, line: UInt = #line) -> Self {
    guard case .change(let object, let properties) = self else { return self }
    return .change(
      object.frozenIfThere(fileID, line),
      properties.map { property in
        PropertyChange(
          name: property.name, oldValue: frozenValue(property.oldValue, fileID, line),
          newValue: frozenValue(property.newValue, fileID, line))
      })
  }
}

extension ThreadConfined {
  /// The frozen value, or itself if it was deleted: a change may also report a deletion.
  fileprivate func frozenIfThere(_ fileID: String, _ line: UInt) -> Self {
    isInvalidated ? self : freeze(fileID: fileID, line: line)
  }
}

/// The value of a property. Managed objects and collections are frozen.
private func frozenValue(_ value: Any?, _ fileID: String, _ line: UInt) -> Any? {
  func frozen(_ thing: some ThreadConfined) -> Any {
    thing._confined() == nil ? thing : thing.frozenIfThere(fileID, line)
  }
  return (value as? any ThreadConfined).map { frozen($0) } ?? value
}
