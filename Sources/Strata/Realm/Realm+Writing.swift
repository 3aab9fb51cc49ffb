extension Realm {
  /// The policy for adding an object whose primary key already exists.
  public typealias UpdatePolicy = Strata.UpdatePolicy

  /// Changes objects in a transaction.
  ///
  /// The method waits for other writers, in this process or another one. When the closure returns,
  /// its changes are committed and visible to all readers. When the closure throws, its changes are
  /// rolled back.
  ///
  /// ```swift
  /// let ada = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
  /// ```
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; ``Realm/Error`` for an error inside of the closure in a
  ///   call that can't throw (an existing primary key, an invalid value), when the disk is full,
  ///   when the realm belongs to another thread or task, or in case of a deadlock.
  @discardableResult
  public func write<Result>(_ block: () throws -> Result) throws -> Result {
    try session.beginWrite()
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Runs the closure of a transaction that has begun, and then ends the transaction, unless the
  /// closure has.
  func finishWrite<Result>(
    _ block: () throws -> Result, commit: () throws -> Void
  ) throws -> Result {
    let result: Result
    do {
      result = try block()
    } catch {
      if isInWriteTransaction { session.cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commit() }
    return result
  }

  /// Begins a transaction, which `commitWrite` or `cancelWrite` ends.
  ///
  /// The method waits for other writers. If that fails, `commitWrite` throws the error. The
  /// transaction continues if no code holds the realm, because `Realm()` returns the same one. If
  /// others wait, and the transaction makes no changes for 30 seconds (one second if no code holds
  /// the realm), the transaction is rolled back. Then `commitWrite`, or the next writing call of
  /// the realm, reports this. A transaction of `write` is never rolled back in this way.
  public func beginWrite() {
    session.beginWriteRecordingErrors()
  }

  /// Commits the changes since `beginWrite`.
  ///
  /// - Throws: ``Realm/Error`` as `write` does; the changes are rolled back then. The code is
  ///   `fail` on another isolation than the realm's, and for a transaction that was rolled back
  ///   while others waited.
  public func commitWrite() throws {
    try session.commitWrite()
  }

  /// Rolls back the changes since `beginWrite`.
  public func cancelWrite() {
    session.cancelWrite()
  }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool { session.isInWriteTransaction }

  /// Adds an object to the realm. The object is managed from then on.
  ///
  /// With a policy other than `error`, an existing object with the same primary key is updated
  /// instead.
  /// - Precondition: A write transaction is open. Otherwise the process stops.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    session.add(object, update)
  }

  /// Adds objects in order.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    for object in objects { session.add(object, update) }
  }

  /// Creates an object from a dictionary, an array in the order of declaration, or another object,
  /// and adds it. With an update policy, an existing object with the same primary key keeps the
  /// values of properties that are not given.
  @discardableResult
  public func create<Element: Object>(
    _ type: Element.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> Element {
    unsafeDowncast(session.create(type, value: value, update), to: Element.self)
  }

  /// Deletes an object. It can't be used afterwards.
  public func delete(_ object: ObjectBase) {
    session.delete(object)
  }

  /// Deletes objects.
  public func delete<Objects: Sequence>(_ objects: Objects) where Objects.Element: ObjectBase {
    // Views of a list, such as its reversed elements, would lose their positions.
    for object in Array(objects) { session.delete(object) }
  }

  /// Deletes the objects of results. Results of another file and frozen results are refused:
  /// `write` throws an error then.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    switch objects.source {
    case .objects(let found):
      if found.query.isWholeTable, !found.isInvalidated, session.sharesFile(with: found.session) {
        session.deleteAll(in: [found.query.table])
      } else if found.session === session, !found.isInvalidated {
        session.delete(found.query)
      } else {
        for object in Array(objects) { session.delete(object) }
      }
    case .values(let values):
      for object in values.elements { session.delete(object) }
    }
  }

  /// Deletes every object of the realm's classes.
  public func deleteAll() {
    session.deleteAll()
  }
}
