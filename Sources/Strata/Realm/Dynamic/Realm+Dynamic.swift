public import Dispatch
import IssueReporting
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
  /// The objects can be filtered, sorted, changed, observed and frozen like the results of
  /// `objects(_:)`. An unknown class name is an error, and the results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported through `IssueReporting`.
  /// The file may have more classes than the program: see ``RealmConfiguration/dynamicClasses``.
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

extension DynamicObject {
  /// The objects that link to this one, grouped by the linking properties.
  ///
  /// ```swift
  /// for link in rex.incomingLinks where !link.objects.isEmpty {
  ///   print("\(link.className).\(link.propertyName): \(link.objects.count)")
  /// }
  /// ```
  /// The array contains each property of the realm's classes that can link to the class of the
  /// object, in the order of the classes and of their properties. Links in an `AnyRealmValue` are
  /// not included. The objects are live. An object that links several times, from a list, occurs
  /// several times. In a migration, and for an unmanaged object, the access is reported through
  /// `IssueReporting`, and the array is empty.
  public var incomingLinks:
    [(className: String, propertyName: String, objects: Results<DynamicObject>)]
  {
    guard let object, let session = object.managedContext as? Session else {
      reportIssue(
        "'incomingLinks' needs an object of a realm, not of a migration. Open the file, and use "
          + "the object of its realm.")
      return []
    }
    session.reportPlace()
    let target = type(of: object)
    return session.store.tables.flatMap { table in
      table.info.properties.indices.compactMap { slot in
        let property = table.info.properties[slot]
        guard !property.isComputed, table.info.targets[slot] == target,
          let query = ObjectQuery(table, linkingThrough: property.name, to: object._rowID)
        else { return nil }
        return (
          table.info.className, property.name,
          Results(query, session, generation: object._generation)
        )
      }
    }
  }

  /// The identity of the object's row in its table.
  package var identity: Int64 { rowID }
}

extension DynamicObject: ThreadConfined {
  /// The realm of the object; nil in a migration, and for a deleted object.
  public var realm: Realm? { object?.realm }

  public func _confined() -> _Confined? {
    object?._confined()?.map { (object: ObjectBase) in DynamicObject(showing: object) }
  }
}

extension DynamicObject {
  /// Calls a closure after each change of the object.
  ///
  /// Like `observe(keyPaths:on:_:)` of the object itself. In a migration, the call is reported
  /// through `IssueReporting`, and the token is inactive.
  /// - Parameters:
  ///   - keyPaths: The names of the properties to observe; nil for all.
  ///   - queue: The queue on which the closure is called; nil for the isolation of the realm.
  ///   - block: A closure that receives the changes, or the deletion.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<DynamicObject>) -> Void
  ) -> NotificationToken {
    guard let object else {
      reportIssue("\(ErrorText.unmanagedObjectNotifications)")
      return NotificationToken()
    }
    return object.observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .change(let object, let properties):
        block(.change(DynamicObject(showing: object), properties))
      case .deleted: block(.deleted)
      case .error(let error): block(.error(error))
      }
    }
  }

  /// Returns the value at a key path: `"dog.name"`. See `value(forKeyPath:)` of objects.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  func unboxedValue(atPath keyPath: String) -> Any? {
    let (name, rest) = firstName(of: keyPath)
    if let object { return dynamic(object.unboxedValue(atPath: keyPath)) }
    guard let rest else { return unboxedValue(name) }
    return (unboxedValue(name) as? any KeyValueReading)?.unboxedValue(atPath: rest)
  }

  private func dynamic(_ value: Any?) -> Any? {
    instance(of: ObjectBase.self, value).map { DynamicObject(showing: $0) } ?? value
  }
}

extension DynamicObject: KeyValueReading {}
