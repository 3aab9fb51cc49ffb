extension Migration {
  /// Calls a closure for each object of a class of both versions, with the old object and the new
  /// one as instances of the model classes.
  ///
  /// ```swift
  /// migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
  ///   new.fullName = old.firstName + " " + old.lastName
  /// }
  /// ```
  /// Order, pairs and costs are as for ``enumerateObjects(ofType:_:)``. Old objects can't be
  /// changed; links and collections lead to objects of the same side. Objects must not be used
  /// after the migration.
  ///
  /// The first class must match the file, and the second must be the class of the new version.
  /// Otherwise the migration fails. For a class that isn't in the file, the closure isn't called.
  /// - Throws: The error of the closure. The enumeration stops at that object.
  public func enumerate<Old: ObjectBase, New: ObjectBase>(
    _ oldType: Old.Type, _ newType: New.Type, _ body: (_ old: Old, _ new: New) throws -> Void
  ) rethrows {
    try enumerate(oldType, newType, nil, body)
  }

  func enumerate<Old: ObjectBase, New: ObjectBase>(
    _ oldType: Old.Type, _ newType: New.Type, _ condition: MigrationCondition?,
    _ body: (_ old: Old, _ new: New) throws -> Void
  ) rethrows {
    guard context.status.canWork(),
      let oldClass = context.status.attempt({ try context.oldClass(oldType) }),
      let oldClass
    else { return }
    let oldObjects = TypedObjects<Old>(oldClass)
    var newObjects: TypedObjects<New>?
    try enumerateObjects(oldType.className(), condition) { old, new in
      guard let old, let new else {
        context.failUntyped(oldType.className(), newType.className())
        return
      }
      if newObjects == nil {
        guard context.isOf(newType, new),
          let newClass = context.status.attempt({ try context.newClass(newType) })
        else { return }
        newObjects = TypedObjects<New>(newClass)
      }
      guard let newObjects else { return }
      defer {
        context.new.flushTyped()
        oldObjects.leaveRow()
        newObjects.leaveRow()
      }
      try body(oldObjects.object(old), newObjects.object(new))
    }
  }

  /// Calls a closure for each old object of a class, whether or not the new version still has the
  /// class.
  ///
  /// ```swift
  /// migration.enumerate(V1.Note.self) { old in texts.append(old.text) }
  /// ```
  public func enumerate<Old: ObjectBase>(
    _ oldType: Old.Type, _ body: (_ old: Old) throws -> Void
  ) rethrows {
    try enumerate(oldType, nil, body)
  }

  func enumerate<Old: ObjectBase>(
    _ oldType: Old.Type, _ condition: MigrationCondition?, _ body: (_ old: Old) throws -> Void
  ) rethrows {
    guard context.status.canWork(),
      let oldClass = context.status.attempt({ try context.oldClass(oldType) }),
      let oldClass
    else { return }
    let oldObjects = TypedObjects<Old>(oldClass)
    try enumerateObjects(oldType.className(), condition) { old, _ in
      guard let old else { return }
      defer { oldObjects.leaveRow() }
      try body(oldObjects.object(old))
    }
  }

  /// Creates an object of a class of the new version.
  ///
  /// - Parameters:
  ///   - type: The class of the new version.
  ///   - value: The values, as for the other `create`.
  /// - Returns: The object; after an error, which fails the migration, an unmanaged object.
  @discardableResult
  public func create<New: Object>(_ type: New.Type, value: Any = [String: Any]()) -> New {
    let row = context.create(type.className(), value: value)
    guard !row.isDeleted, let object = context.typedObject(type, row) as? New else {
      return New()
    }
    return object
  }

  /// Deletes an object of the new side.
  public func delete(_ object: ObjectBase) {
    context.new.flushTyped()
    guard let row = object.migrationRow else {
      context.status.fail(
        "Can only delete an object from the Realm it belongs to. ('\(type(of: object).className())')"
      )
      return
    }
    context.delete(row)
  }
}

/// The objects of a loop. One instance shows row after row, unless the closure retains the
/// instance.
private final class TypedObjects<Value: ObjectBase> {
  private let type: TypedClass
  private var current: ObjectBase?
  /// Whether the instance can be reused. A collection of an object remembers its owner.
  private let isReusable: Bool

  init(_ type: TypedClass) {
    self.type = type
    isReusable = type.info.slots.collections.isEmpty
  }

  func object(_ row: DynamicObject) -> Value {
    if let current, let context = current._context as? TypedRow {
      context.show(row, in: current)
      return unsafeDowncast(current, to: Value.self)
    }
    let made = type.object(row)
    current = made
    return unsafeDowncast(made, to: Value.self)
  }

  /// Releases the row, so that the instance can be reused for the next one.
  func leaveRow() {
    if isReusable, isKnownUniquelyReferenced(&current) {
      (current?._context as? TypedRow)?.leaveRow()
    } else {
      current = nil
    }
  }
}

extension MigrationContext {
  fileprivate func isOf(_ type: ObjectBase.Type, _ object: DynamicObject) -> Bool {
    guard object.table.className != type.className() else { return true }
    failUntyped(object.table.className, type.className())
    return false
  }

  /// Fails the migration. Rows are paired by class: two classes without a rename have no pairs.
  fileprivate func failUntyped(_ old: String, _ new: String) {
    status.fail(
      "Objects of '\(old)' don't become objects of '\(new)' in this migration. Give the class of the "
        + "same name, or call 'renameClass(from: \"\(old)\", to: \"\(new)\")' first.")
  }
}
