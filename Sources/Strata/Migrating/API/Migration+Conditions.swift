extension Migration {
  /// Calls a closure for each object of a class that met a condition before the migration.
  ///
  /// SQLite finds the objects; other objects are not read. The condition uses the language of
  /// ``RealmCollection/filter(_:_:)`` with the column names of the file, and may lead through links
  /// and collections. It is evaluated on the file from before the migration, whatever the block has
  /// changed since.
  ///
  /// ```swift
  /// migration.enumerateObjects(
  ///   ofType: "Person", where: "age < %@ AND ANY dogs.name == %@", 18, "Rex"
  /// ) {
  ///   oldObject, newObject in
  ///   newObject!["group"] = "child"
  /// }
  /// ```
  ///
  /// Order, pairs and costs are as for ``enumerateObjects(ofType:_:)``. For a class that isn't in
  /// the file, the closure isn't called. An invalid condition, a property that the class doesn't
  /// have in the file, and an object as an argument fail the migration.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class.
  ///   - condition: The condition that the objects must meet.
  ///   - arguments: A value for each placeholder. Pass an optional with `as Any`.
  ///   - block: The closure, as for ``enumerateObjects(ofType:_:)``.
  /// - Throws: The error of the closure. The enumeration stops at that object.
  public func enumerateObjects(
    ofType typeName: String, where condition: String, _ arguments: Any...,
    block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    try enumerateObjects(
      typeName, MigrationCondition(format: condition, arguments: arguments), block)
  }

  /// Calls a closure for each object of a class of both versions that met a condition before the
  /// migration, with instances of the model classes.
  ///
  /// ```swift
  /// migration.enumerate(V1.Person.self, V2.Person.self, where: "age < %@", 18) { old, new in
  ///   new.group = "child of \(old.family)"
  /// }
  /// ```
  ///
  /// See ``enumerateObjects(ofType:where:_:block:)`` for the condition, and ``enumerate(_:_:_:)``
  /// for the other rules.
  /// - Throws: The error of the closure. The enumeration stops at that object.
  public func enumerate<Old: ObjectBase, New: ObjectBase>(
    _ oldType: Old.Type, _ newType: New.Type, where condition: String, _ arguments: Any...,
    body: (_ old: Old, _ new: New) throws -> Void
  ) rethrows {
    try enumerate(
      oldType, newType, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Calls a closure for each old object of a class that met a condition before the migration.
  ///
  /// ```swift
  /// migration.enumerate(V1.Note.self, where: "text != ''") { old in texts.append(old.text) }
  /// ```
  ///
  /// See ``enumerateObjects(ofType:where:_:block:)`` for the condition.
  /// - Throws: The error of the closure. The enumeration stops at that object.
  public func enumerate<Old: ObjectBase>(
    _ oldType: Old.Type, where condition: String, _ arguments: Any...,
    body: (_ old: Old) throws -> Void
  ) rethrows {
    try enumerate(oldType, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Sets properties of the objects that met a condition before the migration to values that SQLite
  /// computes from the old ones.
  ///
  /// ```swift
  /// migration.transform(V1.Person.self, V2.Person.self, where: "age < %@", 18) { old, new in
  ///   new.group = "child"
  /// }
  /// ```
  ///
  /// Other objects are not affected: their properties keep the values, or get the default if the
  /// property is new or has another type. A property whose default differs for each object, such as
  /// `UUID()`, can't be set in this way and fails the migration.
  ///
  /// See ``enumerateObjects(ofType:where:_:block:)`` for the condition, and ``transform(_:_:_:)``
  /// for the other rules.
  /// - Throws: The error of the closure.
  public func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type, where condition: String, _ arguments: Any...,
    body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    try transform(old, new, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Sets properties of the objects that met a condition before the migration to values that SQLite
  /// computes from the old ones, using property names.
  ///
  /// ```swift
  /// migration.transform("Person", where: "age < %@", 18) { old, new in new["group"] = "child" }
  /// ```
  ///
  /// See ``transform(_:_:where:_:body:)`` for the rules.
  /// - Throws: The error of the closure.
  public func transform(
    _ typeName: String, where condition: String, _ arguments: Any...,
    body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    try transform(typeName, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Deletes the objects of a class that met a condition before the migration.
  ///
  /// ```swift
  /// migration.delete(ofType: "Visit", where: "end < %@", aYearAgo)
  /// ```
  ///
  /// Embedded objects are deleted with their parents, and links to the deleted objects become nil,
  /// as when each object is deleted. The condition is evaluated on the file from before the
  /// migration: objects that the block has created are not deleted. See
  /// ``enumerateObjects(ofType:where:_:block:)`` for the condition.
  ///
  /// For a class that isn't in the file, nothing is deleted. A class that isn't in the program
  /// fails the migration: use ``deleteData(forType:)`` for such a class.
  ///
  /// - Returns: The number of deleted objects.
  @discardableResult
  public func delete(
    ofType typeName: String, where condition: String, _ arguments: Any...
  ) -> Int {
    context.delete(typeName, where: MigrationCondition(format: condition, arguments: arguments))
  }

  func enumerateObjects(
    _ typeName: String, _ condition: MigrationCondition?,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    guard context.status.canWork() else { return }
    context.logIfUnknown(typeName)
    if let old = context.oldTable(typeName) {
      try context.loop(over: old, where: condition)?.run(block)
    } else if condition == nil, let new = context.newTable(typeName) {
      try context.enumerate(new, block)
    }
  }
}
