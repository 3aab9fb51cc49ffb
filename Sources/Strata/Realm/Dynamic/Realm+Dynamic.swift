import StrataQuery
import StrataStorage

extension Realm {
  /// Returns all objects of the class with a name, in the order in which they were added.
  ///
  /// ```swift
  /// for person in realm.dynamicObjects("Person").sorted(byKeyPath: "name") {
  ///   print(person["age"]!)
  /// }
  /// ```
  /// They can be filtered, sorted, changed, observed and frozen like the results of `objects(_:)`.
  /// An unknown class name is an error, and the results are empty. Inside of `write`, the
  /// transaction throws the error; elsewhere it is reported through `IssueReporting`. The file may
  /// have more classes than the program: see ``RealmConfiguration/dynamicClasses``.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    session.reportPlace()
    guard let table = dynamicTable(typeName) else { return Results(nothing: DynamicObject.self) }
    return Results(ObjectQuery(table), session)
  }

  /// Returns the object with a primary key, of the class with a name; nil if it doesn't exist.
  ///
  /// See `object(ofType:forPrimaryKey:)` and ``dynamicObjects(_:)`` for the errors.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    guard let table = dynamicTable(typeName) else { return nil }
    do {
      return try session.object(table.info.type, forPrimaryKey: key)
        .map { DynamicObject(showing: $0) }
    } catch {
      session.report(error)
      return nil
    }
  }

  /// Returns the object in a row of the class with a name; nil if it doesn't exist.
  package func dynamicObject(ofType typeName: String, identity: Int64) -> DynamicObject? {
    session.reportPlace()
    guard let table = dynamicTable(typeName), table.exists else { return nil }
    return session.objectIfReadable(row: identity, in: table).map { DynamicObject(showing: $0) }
  }

  /// Checks a condition in the language of `NSPredicate` for the class with a name. Returns its
  /// error, or nil for a valid condition. Reads nothing from the file.
  ///
  /// ```swift
  /// if let problem = realm.problem(inFilter: field.text, of: "Person") { show(problem.message) }
  /// ```
  /// The error is the one that `filter(validating:_:)` throws, with code `fail`.
  public func problem(inFilter predicateFormat: String, of typeName: String) -> Realm.Error? {
    session.reportPlace()
    guard let table = session.store.table(className: typeName) else {
      return RealmError(.fail, ErrorText.notManaged(typeName))
    }
    do throws(RealmError) {
      _ = try ObjectResults(ObjectQuery(table), session)
        .filtered(by: QueryPredicate(format: predicateFormat, arguments: []))
      return nil
    } catch {
      return error
    }
  }

  /// Creates an object of the class with a name, and adds it. Like `create(_:value:update:)`, for
  /// code that doesn't know the class.
  ///
  /// ```swift
  /// try realm.write { realm.dynamicCreate("Person", value: ["name": "Ada"]) }
  /// ```
  /// An unknown class name, or the name of an embedded class, is an error that `write` throws; the
  /// returned object is unmanaged then. Call this method inside of `write`; elsewhere it stops the
  /// process.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    guard let table = dynamicTable(typeName) else { return DynamicObject(showing: Object()) }
    guard !table.info.isEmbedded else {
      session.record(RealmError(.fail, ErrorText.embeddedAlone(typeName)))
      return DynamicObject(showing: table.info.type.init())
    }
    let value = withoutDynamicObjects(value) ?? value
    return DynamicObject(showing: session.create(table.info.type, value: value, update))
  }

  /// Deletes an object. It can't be used afterwards.
  public func delete(_ object: DynamicObject) {
    guard let shown = object.object else {
      session.record(RealmError(.fail, ErrorText.otherRealm))
      return
    }
    session.delete(shown)
  }

  /// Deletes objects.
  public func delete<Objects: Sequence>(_ objects: Objects)
  where Objects.Element == DynamicObject {
    for object in Array(objects) { delete(object) }
  }

  private func dynamicTable(_ typeName: String) -> Table? {
    if let table = session.store.table(className: typeName) { return table }
    session.record(RealmError(.fail, ErrorText.notManaged(typeName)))
    return nil
  }
}

extension Results: _DynamicObjects where Element == DynamicObject {
  var dynamicObjects: [DynamicObject] { Array(self) }
}
