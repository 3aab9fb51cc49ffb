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
  /// - Throws: ``RealmError`` with code `fail` for an invalid value.
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
    guard let object = value as? ObjectBase else { return value }
    return (object as? LinkInMigration)?.target ?? object.migrationRow ?? object
  }

  private func anyElement(
    of value: Any?, _ property: Property, _ className: String, _ copying: Bool
  ) throws(RealmError) -> _StoredElement {
    var object = value as? DynamicObject as Any?
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
      "\(what) is of an earlier migration, and has no values any more. Keep the values of objects for a "
        + "later migration, and not the objects.")
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
