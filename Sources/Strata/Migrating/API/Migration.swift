public import StrataSchema

/// The migration of a file, as the migration block sees it.
///
/// Everything that the block does is part of the migration's transaction: it takes effect as a
/// whole when the block returns, or not at all. An error, such as a wrong property name, ends the
/// migration with a `Realm.Error`; later calls in the block have no effect.
public struct Migration {
  let context: MigrationContext

  init(_ context: MigrationContext) {
    self.context = context
  }

  /// The classes in the file before the migration, with the names of columns.
  public var oldSchema: Schema { context.classes.oldSchema }

  /// The classes of the program.
  public var newSchema: Schema { context.classes.newSchema }

  /// Calls a closure for each object of a class, with the old object and the new one.
  ///
  /// Objects are enumerated in the order in which they were added. Old and new objects are paired
  /// by identity, whatever the block does to keys. Objects that the block deleted or created are
  /// left out. If the class is no longer in the program, the new object is nil. If the class isn't
  /// in the file, the old object is nil, and the objects are the ones that the block created before
  /// this call. A class that is in neither is not an error: the closure isn't called, and a notice
  /// is logged.
  ///
  /// ```swift
  /// migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
  ///   newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
  /// }
  /// ```
  ///
  /// The cost per object doesn't depend on the number of objects, and memory stays flat.
  /// - Throws: The error of the closure. The enumeration stops at that object.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    try enumerateObjects(typeName, nil, block)
  }

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class of the program.
  ///   - value: The values of properties by name or in the order of declaration, or another object.
  ///     Properties without a value get the model's default.
  @discardableResult
  public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
    context.create(typeName, value: value)
  }

  /// Deletes an object of the new side.
  public func delete(_ object: MigrationObject) {
    context.delete(object)
  }

  /// Deletes all objects of a class. If the class is no longer in the program, also drops its
  /// table.
  ///
  /// - Returns: Whether the file had a table for the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    context.deleteData(typeName)
  }

  /// Removes the values that earlier versions have kept for programs older than a version: see
  /// ``RealmConfiguration/retiresRemovedProperties``.
  ///
  /// ```swift
  /// // No release before version 4 is running any more.
  /// migration.dropRetired(olderThan: 4)
  /// ```
  ///
  /// Programs of these versions can't open the file afterwards. Properties that were removed later
  /// than in `version` stay. SQLite may have to rebuild the tables.
  public func dropRetired(olderThan version: UInt64) {
    context.dropRetired(olderThan: version)
  }

  /// Renames a property and keeps its values. The cost does not depend on the number of objects.
  ///
  /// If `propertiesMapping()` defines other column names, use the column names. After this call,
  /// the new objects have the values under the new name. Call this method before `enumerateObjects`
  /// of the class: afterwards an empty column with the new name exists, and the old column may have
  /// been dropped, so that each object must be updated.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try PropertyRename(
        context: context, className: typeName, oldName: oldName, newName: newName
      ).run()
    }
  }
}

/// A closure that migrates the objects of a file from the version `oldSchemaVersion` to the classes
/// of the program.
///
/// The closure is called once, however many versions are in between. Old objects have the
/// properties of the file, new objects have the properties of the program. If the closure throws,
/// `Realm(...)` throws the error, and the file is unchanged.
///
/// ```swift
/// let block: MigrationBlock = { migration, oldSchemaVersion in
///   if oldSchemaVersion < 3 {  // `age` was a number
///     migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
///       newObject!["yearsSinceBirth"] = "\(oldObject!["age"]!)"
///     }
///   } else if oldSchemaVersion < 4 {  // `age` was a text
///     migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth")
///   }
/// }
/// ```
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64)
  throws -> Void

/// An object in a migration.
public typealias MigrationObject = DynamicObject

/// The closure of ``Migration/enumerateObjects(ofType:_:)``.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

extension Migration {
  /// Renames a class of the file to a class of the program.
  ///
  /// The objects stay the same: their identities, links to them, collections, keys, indexes and
  /// embedded objects don't change. The cost does not depend on the number of objects, except for
  /// objects in an `AnyRealmValue`.
  ///
  /// ```swift
  /// // The file has `Person`, the program calls it `Human`.
  /// migration.renameClass(from: "Person", to: "Human")
  /// migration.renameProperty(onType: "Human", from: "age", to: "years")
  /// migration.enumerateObjects(ofType: "Human") { oldObject, newObject in
  ///   newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
  /// }
  /// ```
  ///
  /// After this call, `enumerateObjects` accepts both names, and a link to `Person` is a link to
  /// `Human`. Call this method before anything else that concerns either class, or a class that
  /// links to them; otherwise the migration fails. The migration also fails if the file has no
  /// class `oldName` or already has a class `newName`, if the program doesn't have `newName`, or if
  /// the program still has `oldName`. Several classes may be renamed. If a class takes the name of
  /// another one, rename the other class first.
  public func renameClass(from oldName: String, to newName: String) {
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try ClassRename(context: context, old: oldName, new: newName).run()
    }
  }
}

extension Migration {
  /// The handling of objects without a parent when their class becomes embedded.
  public typealias OrphanPolicy = StrataSchema.OrphanPolicy

  /// The handling of objects with several parents when their class becomes embedded.
  public typealias SharedObjectPolicy = StrataSchema.SharedObjectPolicy

  /// Specifies how the objects of a class that becomes embedded get exactly one parent each.
  ///
  /// ```swift
  /// // `Address` was an `Object`, and is an `EmbeddedObject` now.
  /// migration.embedObjects(ofType: "Address", orphans: .delete, shared: .copy)
  /// ```
  ///
  /// Takes effect after the block has returned. The block may also delete or copy objects itself.
  /// Without this call, an object with no parent or with several parents fails the migration: data
  /// is never deleted or copied without a request.
  ///
  /// A class that does not become embedded in this migration fails the migration.
  public func embedObjects(
    ofType typeName: String, orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse
  ) {
    guard context.status.canWork() else { return }
    let classes = context.classes
    guard let target = classes.newSchema[typeName], target.isEmbedded,
      let old = classes.start[typeName], !old.isEmbedded
    else {
      context.status.fail(
        "'\(typeName)' does not become an embedded class in this migration: it must be an 'Object' in "
          + "the file, and an 'EmbeddedObject' in the program.")
      return
    }
    context.new.flushForOperations().embeddingChoices[typeName] = EmbeddingChoice(
      orphans: orphans, shared: shared)
  }
}

extension Migration {
  /// Sets properties of a class to values that SQLite computes from the old ones, without
  /// enumerating the objects.
  ///
  /// ```swift
  /// migration.transform(V1.Person.self, V2.Person.self) { old, new in
  ///   new.fullName = old.firstName + " " + old.lastName
  ///   new.age = old.age.text
  /// }
  /// ```
  ///
  /// The closure is called once, and describes the new value of each property: see
  /// ``TransformValue``. Properties that the closure doesn't set are migrated as without this call.
  /// If the table must be rebuilt for the class, each row is written once, with its final values;
  /// otherwise one statement sets the properties. Objects can be enumerated afterwards.
  ///
  /// Call this method before anything else in the block that concerns the class; otherwise the
  /// migration fails. The migration also fails if the file doesn't have the class, if the closure
  /// reads a property whose type in the file differs from the old class, or if a value can't be
  /// computed or stored.
  ///
  /// - Parameters:
  ///   - old: The class with which the file was written, or the current class if the properties
  ///     that are read have not changed.
  ///   - new: The class of the program.
  ///   - body: A closure that sets the expressions of the new properties.
  /// - Throws: The error of the closure.
  public func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type,
    _ body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    try transform(old, new, nil, body)
  }

  func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type, _ condition: MigrationCondition?,
    _ body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    guard context.status.canWork() else { return }
    let target = TransformTarget(new)
    try body(TransformSource(old), target)
    let transform = ClassTransform(
      context: context, name: new.className(), assignments: target.assignments, condition: condition
    )
    _ = context.status.attempt {
      try transform.check(new, from: old.className())
      try transform.run()
    }
  }

  /// Sets properties of a class to values that SQLite computes from the old ones, using property
  /// names.
  ///
  /// ```swift
  /// migration.transform("Person") { old, new in
  ///   new["fullName"] = old["firstName"] + " " + old["lastName"]
  /// }
  /// ```
  ///
  /// Like the method with classes. Types are checked before anything is written, and mismatched
  /// types fail the migration. Use the column names for old properties.
  /// - Throws: The error of the closure.
  public func transform(
    _ typeName: String,
    _ body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    try transform(typeName, nil, body)
  }

  func transform(
    _ typeName: String, _ condition: MigrationCondition?,
    _ body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    guard context.status.canWork() else { return }
    let target = DynamicTransformTarget()
    try body(DynamicTransformSource(), target)
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try ClassTransform(
        context: context, name: typeName, assignments: target.assignments, condition: condition
      ).run()
    }
  }
}
