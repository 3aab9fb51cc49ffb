import StrataStorage

extension MigrationContext {
  // MARK: Reading

  /// Returns the linked object on the same side; nil if it was deleted.
  func linkedObject(
    _ stored: _StoredElement, _ className: String?, of table: MigrationTable
  ) -> DynamicObject? {
    guard case .integer(let row) = stored.value, let className else { return nil }
    guard let target = table.isNew ? newTable(className) : oldTable(inFile: className),
      exists(row, in: target)
    else { return nil }
    return DynamicObject(target, row: row)
  }

  /// Returns the new objects that link to an object.
  func objects(linkingTo object: DynamicObject, through property: Property) -> [DynamicObject] {
    guard let origin = property.objectClassName.flatMap({ newTable($0) }),
      let link = property.linkOriginPropertyName.flatMap({ origin.schema[$0] })
    else { return [] }
    let rows = status.attempt {
      try origin.flushedRows(all: true).linking(
        to: object.rowID, through: link, of: origin.className)
    }
    return (rows ?? []).map { DynamicObject(origin, row: $0) }
  }

  // MARK: Writing

  /// Returns the stored form of a value for a property, or for an element of a collection.
  /// Unmanaged objects, and dictionaries and arrays that stand for objects, are added to the file.
  ///
  /// - Parameter copying: Whether old objects are copied. Otherwise they are refused, as in
  ///   assignments of the block.
  func element(
    of value: Any?, for property: Property, of className: String, copying: Bool = false
  ) throws(RealmError) -> _StoredElement {
    let value = unwrapped(value)
    switch property.type {
    case .object:
      guard let value = withoutStandIn(value) else {
        if property.allowsNil || property.collection == .map { return .null }
        throw .invalidValue(nil, for: property, of: className)
      }
      let row = try row(
        of: value, property.objectClassName ?? "", copying,
        else: .invalidValue(value, for: property, of: className))
      return _StoredElement(.integer(row))
    case .any:
      return try anyElement(of: withoutStandIn(value), property, className, copying)
    default:
      if let stored = property.storedValue(value) { return _StoredElement(stored) }
      throw property.holdsUnstorable(value)
        ? RealmError(.fail, ErrorText.unstorable(property, of: className))
        : .invalidValue(value, for: property, of: className)
    }
  }

  /// Returns the migration's object, if the value is a stand-in for one, or an `AnyRealmValue` with
  /// one.
  private func withoutStandIn(_ value: Any?) -> Any? {
    if case .object(let object) = value as? AnyRealmValue {
      return (object as? LinkInMigration)?.target ?? object.migrationRow ?? value
    }
    guard let object = instance(of: ObjectBase.self, value) else { return value }
    return (object as? LinkInMigration)?.target ?? object.migrationRow ?? object
  }

  private func anyElement(
    of value: Any?, _ property: Property, _ className: String, _ copying: Bool
  ) throws(RealmError) -> _StoredElement {
    var object = instance(of: DynamicObject.self, value) as Any?
    if let any = AnyRealmValue.converting(withStandIns(value)) {
      if any.isNested {
        return _StoredElement(
          try any.nested { object throws(RealmError) in
            try anyElement(of: withoutStandIn(object), property, className, copying)
          })
      }
      guard case .object(let linked) = any else {
        if let stored = any.storedElement { return stored }
        throw RealmError(.fail, ErrorText.unstorable(property, of: className))
      }
      object = linked
    }
    let name =
      (object as? DynamicObject)?.sourceClassName
      ?? (object as? ObjectBase).map { type(of: $0).className() }
    guard let object, let name else { throw .invalidValue(value, for: property, of: className) }
    let row = try row(
      of: object, name, copying, else: .invalidValue(value, for: property, of: className))
    return _StoredElement(.integer(row), type: _StoredElement.typeName(ofLinkTo: name))
  }

  /// Returns an array or a dictionary with stand-ins for its objects, which `AnyRealmValue` can
  /// hold.
  private func withStandIns(_ value: Any?, isElement: Bool = false) -> Any? {
    switch unwrapped(value) {
    case let object as DynamicObject where isElement:
      AnyRealmValue.object(object.object as? Object ?? LinkInMigration(object))
    case let object as ObjectBase where isElement: object
    case let values as [Any?]: values.map { withStandIns($0, isElement: true) }
    case let values as [String: Any?]: values.mapValues { withStandIns($0, isElement: true) }
    case let value: value
    }
  }

  /// Returns the row for a value that represents an object of a class.
  private func row(
    of value: Any, _ className: String, _ copying: Bool,
    else refusal: @autoclosure () -> RealmError
  ) throws(RealmError) -> Int64 {
    switch value {
    case let object as DynamicObject where object.object != nil && !copying:
      throw RealmError(.fail, ErrorText.otherRealm)
    case let object as DynamicObject:
      try checkIsOfThis(object)
      guard object.object == nil, object.table.isNew, object.table.context === self else {
        if copying {
          return try MigrationCreator.create(className, value: object, copying: true, in: self)
        }
        throw RealmError(.fail, ErrorText.otherRealm)
      }
      guard object.table.className == className else { throw refusal() }
      guard !object.isGone else {
        throw RealmError(.fail, "\(ErrorText.deleted) ('\(className)')")
      }
      // An embedded object already has a parent, or would get two.
      guard classes.physical[className]?.isEmbedded != true else {
        if copying {
          return try MigrationCreator.create(className, value: object, copying: true, in: self)
        }
        throw RealmError(.fail, ErrorText.managedEmbedded)
      }
      return object.rowID
    case let object as ObjectBase:
      guard type(of: object).className() == className else { throw refusal() }
      if object.managedContext != nil { throw RealmError(.fail, ErrorText.otherRealm) }
      if !copying, let row = creations.promoted[object] {
        guard classes.physical[className]?.isEmbedded != true else {
          throw RealmError(.fail, ErrorText.managedEmbedded)
        }
        return row
      }
      return try MigrationCreator.create(className, value: object, copying: copying, in: self)
    case is [String: Any?], is [Any?]:
      return try MigrationCreator.create(className, value: value, copying: copying, in: self)
    default:
      throw refusal()
    }
  }

  /// Replaces the elements of a collection of a new object.
  func assign(_ value: Any?, to info: CollectionInfo, of owner: DynamicObject) {
    guard canUse(owner) else { return }
    let rows = MigrationCollection(info, of: owner)
    guard rows.canWrite() else { return }
    _ = status.attempt { try assign(value, to: rows, copying: false) }
  }

  /// Checks that the objects and collections of a value can still be read.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value of an earlier migration.
  func checkIsOfThis(_ value: Any?) throws(RealmError) {
    let what: String
    switch value {
    case let object as DynamicObject:
      guard object.object == nil, object.table.context !== self else { return }
      what = "An object of '\(object.table.className)'"
    case let collection as any PersistedCollection:
      guard let rows = collection.rows as? MigrationCollection, rows.context !== self else {
        return
      }
      what = "A '\(type(of: collection))'"
    default: return
    }
    throw RealmError(
      .fail,
      "\(what) belongs to an earlier migration, and has no values any more. Keep the values of "
        + "objects for a later migration instead of the objects.")
  }

  /// Replaces the elements of a collection with the elements of a value of unknown type.
  func assign(
    _ value: Any?, to rows: MigrationCollection, copying: Bool
  ) throws(RealmError) {
    try checkIsOfThis(unwrapped(value))
    let info = rows.table.info
    if info.kind == .map {
      guard let entries = mapEntries(value) else {
        throw .invalidValue(value, for: info.property, of: info.className)
      }
      var stored: [(String, _StoredElement)] = []
      for (key, value) in entries {
        let element = try element(
          of: value, for: info.property, of: info.className, copying: copying)
        stored.append((key, element))
      }
      rows.removeAll()
      for (key, element) in stored { rows.set(element, forKey: key) }
      return
    }
    guard let values = sequence(value) else {
      throw .invalidValue(value, for: info.property, of: info.className)
    }
    var stored: [_StoredElement] = []
    for value in values {
      stored.append(
        try element(of: value, for: info.property, of: info.className, copying: copying))
    }
    rows.removeAll()
    if info.kind == .list {
      rows.insert(stored, at: 0)
    } else {
      for element in stored { _ = rows.insert(element) }
    }
  }

  /// Returns whether a property can link to an object without creating or copying one.
  @inline(__always)
  func isLinkable(_ object: DynamicObject, _ className: String) -> Bool {
    object.object == nil && object.table.isNew && object.table.context === self && !object.isGone
      && !object.table.isEmbedded && object.table.className == className
  }
}

extension MigrationContext {
  // MARK: Creating

  func create(_ className: String, value: Any) -> DynamicObject {
    guard status.canWork() else { return placeholder(className) }
    if let known = new.creations[className], let creation = known,
      let values = value as? [String: Any],
      let row = status.attempt({ try creation.create(values) }) ?? nil
    {
      notes.recordChange()
      return DynamicObject(creation.table, row: row)
    }
    guard let table = newTable(className) else {
      status.fail(ErrorText.notManaged(className))
      return placeholder(className)
    }
    guard !table.schema.isEmbedded || classes.physical[className]?.isEmbedded != true else {
      status.fail(
        "Embedded objects cannot be created directly: assign a dictionary, an array or an object to "
          + "the property of the parent. ('\(className)')")
      return placeholder(className)
    }
    let row = status.attempt {
      if let info = classes.discovered.classes[className], let values = value as? [String: Any],
        let row = try createPlain(table, info, values)
      {
        return row
      }
      return try MigrationCreator.create(className, value: value, copying: true, in: self)
    }
    notes.recordChange()
    guard let row else { return placeholder(className) }
    return DynamicObject(newTable(className) ?? table, row: row)
  }

  private func createPlain(
    _ table: MigrationTable, _ info: ClassInfo, _ values: [String: Any]
  ) throws -> Int64? {
    // An existing creation has already been tried.
    guard new.creations[info.className] == nil else { return nil }
    let made = try PlainCreation(table, info, self)
    new.creations[info.className] = .some(made)
    return try made?.create(values)
  }

  // MARK: Deleting

  func delete(_ object: DynamicObject) {
    guard object.object != nil || canUse(object) else { return }
    guard object.object == nil, object.table.isNew, object.table.context === self else {
      status.fail("Can only delete an object from the Realm it belongs to.")
      return
    }
    let table = object.table
    _ = status.attempt {
      try deleting(from: table.className) {
        try table.flushedRows(all: true).delete(object.rowID)
      }
    }
    recordDeleted(object.rowID, of: table.className)
    object.markDeleted()
  }

  func deleteData(_ className: String) -> Bool {
    guard status.canWork() else { return false }
    notes.recordCarried(
      classes.start[className]?.properties.map(\.columnName) ?? [], of: className)
    if let table = newTable(className) {
      _ = status.attempt { try deleteRows(of: table) }
      return true
    }
    guard let schema = classes.physical[className] else { return false }
    _ = status.attempt {
      // Embedded objects are deleted with their parents, and loops don't show them any more.
      try deleting(from: className) {
        try TableRows(
          db: new.flush(), table: SQLName.quote(className),
          identity: SQLName.quote(schema.identityColumn)
        ).deleteAll()
      }
      try new.run([.dropTable(className, in: classes.physical)])
    }
    classes.physical = classes.physical.removing(className)
    // A link that was removed with the class may have used the name of the identity column.
    for schema in classes.physical.objectSchema {
      renameIdentity(to: schema.identityColumn, in: schema.className)
    }
    return true
  }

  private func deleteRows(of table: MigrationTable) throws {
    try table.flushedRows(all: true).forEachIdentity { recordDeleted($0, of: table.className) }
    try deleting(from: table.className) { try table.flushedRows(all: true).deleteAll() }
    notes.recordChange()
  }
}

extension MigrationContext {
  /// Removes the values of properties that were removed in a version or earlier.
  func dropRetired(olderThan version: UInt64) {
    _ = status.attempt {
      try new.flushForOperations().dropRetired(from: classes.physical) { $0.since <= version }
      classes.hasTriggers = false
    }
    touch(nil)
  }
}
