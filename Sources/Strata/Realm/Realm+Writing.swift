extension Realm {
  /// What to do when an object is added whose primary key another one has.
  public typealias UpdatePolicy = Strata.UpdatePolicy

  /// Changes objects, all together or not at all.
  ///
  /// Waits for other writers, in this process or another one. When the closure returns its changes
  /// are permanent and visible to everybody; when it throws they are taken back.
  ///
  /// ```swift
  /// let ada = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
  /// ```
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; ``Realm/Error`` for a mistake that was found where nothing
  ///   could be thrown (an existing primary key, a value that doesn't fit), when the disk is full,
  ///   and when the realm belongs to another thread or task, or would wait for itself.
  @discardableResult
  public func write<Result>(_ block: () throws -> Result) throws -> Result {
    try session.beginWrite()
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Runs the closure of a transaction that has begun, and ends it, unless the closure has.
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

  /// Begins a transaction that `commitWrite` or `cancelWrite` ends.
  ///
  /// Waits for other writers. If that fails, `commitWrite` throws the reason. The transaction
  /// continues when no code keeps the realm: `Realm()` is the same one. But when others wait for
  /// it, and nothing changes in it for 30 seconds (one second when no code holds the realm), it is
  /// rolled back, and `commitWrite` says so, or the next writing call of the realm. `write` is
  /// never taken away.
  public func beginWrite() {
    session.beginWriteNoting()
  }

  /// Makes the changes since `beginWrite` permanent.
  ///
  /// - Throws: ``Realm/Error`` as `write` does; the changes are taken back then. With code `fail`
  ///   at another place than that of the realm, and for a transaction that was taken away.
  public func commitWrite() throws {
    try session.commitWrite()
  }

  /// Takes back the changes since `beginWrite`.
  public func cancelWrite() {
    session.cancelWrite()
  }

  /// Whether changes can be made now.
  public var isInWriteTransaction: Bool { session.isInWriteTransaction }

  /// Adds an object, which from then on shows the contents of the file.
  ///
  /// With a policy other than `error`, an object of the same primary key is changed instead. To be
  /// called inside `write`; anywhere else it stops the process.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    session.add(object, update)
  }

  /// Adds objects in order.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    for object in objects { session.add(object, update) }
  }

  /// Makes an object of a dictionary, an array in the order of declaration, or another object, and
  /// adds it. With an update policy, an existing object of the same primary key keeps the values of
  /// properties that are not given.
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
    // Views of a list, as its elements in reverse, would lose their positions.
    for object in Array(objects) { session.delete(object) }
  }

  /// Deletes the objects of results. Those of another file and frozen ones are refused: `write`
  /// throws then.
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
