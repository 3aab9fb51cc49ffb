extension Migration {
  /// Calls a closure for each object of a class for which a condition was true before the
  /// migration.
  ///
  /// SQLite finds the objects; others are neither read nor shown. The condition is in the language
  /// of ``RealmCollection/filter(_:_:)``, with the names that columns have in the file, and may go
  /// through links and collections. It sees the file as it was before the migration, whatever the
  /// block has done since.
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
  /// Order, pairs and costs are those of ``enumerateObjects(ofType:_:)``. For a class that the file
  /// did not have nothing is called. A condition with a mistake, or with a property that the class
  /// does not have in the file, fails the migration; so does an object as an argument.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class.
  ///   - condition: Which objects.
  ///   - arguments: A value for each placeholder. An optional is given with `as Any`.
  ///   - block: As for ``enumerateObjects(ofType:_:)``.
  /// - Throws: What the closure throws, at the object for which it does.
  public func enumerateObjects(
    ofType typeName: String, where condition: String, _ arguments: Any...,
    block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    try enumerateObjects(
      typeName, MigrationCondition(format: condition, arguments: arguments), block)
  }

  /// Calls a closure for each object of a class that both versions have, and for which a condition
  /// was true before the migration, as instances of their classes.
  ///
  /// ```swift
  /// migration.enumerate(V1.Person.self, V2.Person.self, where: "age < %@", 18) { old, new in
  ///   new.group = "child of \(old.family)"
  /// }
  /// ```
  ///
  /// The rules of the condition are those of ``enumerateObjects(ofType:where:_:block:)``, and the
  /// others those of ``enumerate(_:_:_:)``.
  /// - Throws: What the closure throws, at the object for which it does.
  public func enumerate<Old: ObjectBase, New: ObjectBase>(
    _ oldType: Old.Type, _ newType: New.Type, where condition: String, _ arguments: Any...,
    body: (_ old: Old, _ new: New) throws -> Void
  ) rethrows {
    try enumerate(
      oldType, newType, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Calls a closure for each object that a class had before the migration, and for which a
  /// condition was true then.
  ///
  /// ```swift
  /// migration.enumerate(V1.Note.self, where: "text != ''") { old in texts.append(old.text) }
  /// ```
  ///
  /// The rules of the condition are those of ``enumerateObjects(ofType:where:_:block:)``.
  /// - Throws: What the closure throws, at the object for which it does.
  public func enumerate<Old: ObjectBase>(
    _ oldType: Old.Type, where condition: String, _ arguments: Any...,
    body: (_ old: Old) throws -> Void
  ) rethrows {
    try enumerate(oldType, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Gives properties of the objects for which a condition was true before the migration values
  /// that SQLite computes of the old ones.
  ///
  /// ```swift
  /// migration.transform(V1.Person.self, V2.Person.self, where: "age < %@", 18) { old, new in
  ///   new.group = "child"
  /// }
  /// ```
  ///
  /// The properties of other objects become what they would without it: they keep their values, or
  /// have the default where the property is new or has another type. One whose default is another
  /// for each object, such as a `UUID()`, can't be set so, and fails the migration.
  ///
  /// The rules of the condition are those of ``enumerateObjects(ofType:where:_:block:)``, and the
  /// others those of ``transform(_:_:_:)``.
  /// - Throws: What the closure throws.
  public func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type, where condition: String, _ arguments: Any...,
    body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    try transform(old, new, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Gives properties of the objects for which a condition was true before the migration values
  /// that SQLite computes of the old ones, by their names.
  ///
  /// ```swift
  /// migration.transform("Person", where: "age < %@", 18) { old, new in new["group"] = "child" }
  /// ```
  ///
  /// The rules are those of ``transform(_:_:where:_:body:)``.
  /// - Throws: What the closure throws.
  public func transform(
    _ typeName: String, where condition: String, _ arguments: Any...,
    body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    try transform(typeName, MigrationCondition(format: condition, arguments: arguments), body)
  }

  /// Deletes the objects of a class for which a condition was true before the migration.
  ///
  /// ```swift
  /// migration.delete(ofType: "Visit", where: "end < %@", aYearAgo)
  /// ```
  ///
  /// What is embedded in the objects goes with them, and links to them become nil, as when each is
  /// deleted. The condition sees the file as it was, not what the block has set since: objects that
  /// the block has created stay. Its rules are those of
  /// ``enumerateObjects(ofType:where:_:block:)``.
  ///
  /// For a class that the file did not have nothing is deleted. One that the program does not have
  /// fails the migration: ``deleteData(forType:)`` is for these.
  ///
  /// - Returns: How many objects were deleted.
  @discardableResult
  public func delete(
    ofType typeName: String, where condition: String, _ arguments: Any...
  ) -> Int {
    context.delete(typeName, where: MigrationCondition(format: condition, arguments: arguments))
  }

  /// - Parameter condition: Nil for all objects.
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
