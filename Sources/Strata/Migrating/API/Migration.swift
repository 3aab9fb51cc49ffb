public import StrataSchema

/// The migration of a file, as the migration block sees it.
///
/// Everything that the block does happens in the one transaction of the migration: it takes effect
/// as a whole when the block returns, or not at all. A mistake, such as a wrong property name, ends
/// the migration with a `Realm.Error`; what the block does after it has no effect.
public struct Migration {
  let context: MigrationContext

  init(_ context: MigrationContext) {
    self.context = context
  }

  /// The classes in the file before the migration, with the names of columns.
  public var oldSchema: Schema { context.classes.oldSchema }

  /// The classes of the program.
  public var newSchema: Schema { context.classes.newSchema }

  /// Calls a closure for each object of a class, with the object as it was and as it becomes.
  ///
  /// Objects come in the order in which they were added, and pair by identity, whatever the block
  /// does to keys. Objects that the block deleted are left out, and those that it created do not
  /// come. For a class that the program no longer has the new object is nil. For a class that the
  /// file did not have, the old one is nil, and the objects are those created before this call. A
  /// class that neither has is not a mistake: nothing is called, and the log has a notice.
  ///
  /// ```swift
  /// migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
  ///   newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
  /// }
  /// ```
  ///
  /// The work for an object is the same however many there are, and memory stays flat.
  /// - Throws: What the closure throws, at the object for which it does.
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
  ///   - value: The values of properties by name, or in the order of declaration, or another
  ///     object. Properties without a value get the model's default.
  @discardableResult
  public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
    context.create(typeName, value: value)
  }

  /// Deletes an object of the new side.
  public func delete(_ object: MigrationObject) {
    context.delete(object)
  }

  /// Deletes all objects of a class; for a class that the program no longer has, its table as well.
  ///
  /// - Returns: Whether the file had a table for the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    context.deleteData(typeName)
  }

  /// Gives the values of a property to one with another name. The cost does not depend on the
  /// number of objects.
  ///
  /// Names are those of columns where `propertiesMapping()` gives other ones. From here on the new
  /// objects have the values under the new name. Best called before `enumerateObjects` of the
  /// class: afterwards there is an empty column under the new name, and the old one may be gone, so
  /// it takes time for each object.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try PropertyRename(
        context: context, className: typeName, oldName: oldName, newName: newName
      ).run()
    }
  }
}

/// Brings the objects of a file from its version, `oldSchemaVersion`, to the classes of the
/// program.
///
/// Called once, however many versions lie between: old objects have the properties that the file
/// has, new ones those of the program. It may throw: `Realm(...)` throws the error, and the
/// file is untouched.
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
  /// Makes the objects of a class that the file calls otherwise those of a class of the program.
  ///
  /// They stay the same objects: identities, links to them, collections, keys, indexes and what is
  /// embedded in them are as they were. The cost does not depend on the number of objects, apart
  /// from those that an `AnyRealmValue` holds.
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
  /// From here on both names stand for the class in `enumerateObjects`, and a link to `Person` is
  /// one to `Human`. Called before anything else in the block that concerns either class, or one
  /// that links to them: otherwise the migration fails, as it does when the file has no class
  /// `oldName`, when it already has one called `newName`, and unless the program has `newName` and
  /// no longer `oldName`. Several classes may be renamed; where one takes the name of another, that
  /// one is renamed first.
  public func renameClass(from oldName: String, to newName: String) {
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try ClassRename(context: context, old: oldName, new: newName).run()
    }
  }
}

extension Migration {
  /// What becomes of objects without a parent when their class becomes an embedded one.
  public typealias OrphanPolicy = StrataSchema.OrphanPolicy

  /// What becomes of objects with several parents when their class becomes an embedded one.
  public typealias SharedObjectPolicy = StrataSchema.SharedObjectPolicy

  /// Says how the objects of a class that becomes an embedded one get exactly one parent each.
  ///
  /// ```swift
  /// // `Address` was an `Object`, and is an `EmbeddedObject` now.
  /// migration.embedObjects(ofType: "Address", orphans: .delete, shared: .copy)
  /// ```
  ///
  /// Takes effect after the block, on what it leaves: a block may as well delete or copy objects
  /// itself. Without this call, objects with no parent or several fail the migration: deleting and
  /// copying data is nothing to be done unasked.
  ///
  /// A class that does not become an embedded one in this migration is a mistake, which fails it.
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
  /// Gives properties of a class values that SQLite computes of the old ones, without going through
  /// the objects.
  ///
  /// ```swift
  /// migration.transform(V1.Person.self, V2.Person.self) { old, new in
  ///   new.fullName = old.firstName + " " + old.lastName
  ///   new.age = old.age.text
  /// }
  /// ```
  ///
  /// The closure is called once, and describes what each property becomes: ``TransformValue`` says
  /// what there is. Properties that it does not set become what they would without it. Where the
  /// table must be rebuilt for the class, each row is written once, as what it becomes; otherwise
  /// one statement sets the properties. Objects can be enumerated afterwards.
  ///
  /// Called before anything else in the block that touches the class: otherwise the migration
  /// fails. It fails as well when the file has no such class, when properties that are read have
  /// other types in the file than in the old class, and for a value that can't be computed or
  /// stored.
  ///
  /// - Parameters:
  ///   - old: The class as it was when the file was written, or the current one where nothing of
  ///     what is read has changed.
  ///   - new: The class of the program.
  ///   - body: Gives the new properties their expressions.
  /// - Throws: What the closure throws.
  public func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type,
    _ body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    try transform(old, new, nil, body)
  }

  /// - Parameter condition: Nil for all objects.
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

  /// Gives properties of a class values that SQLite computes of the old ones, by their names.
  ///
  /// ```swift
  /// migration.transform("Person") { old, new in
  ///   new["fullName"] = old["firstName"] + " " + old["lastName"]
  /// }
  /// ```
  ///
  /// As with classes; types are compared before anything is written, and those that don't fit fail
  /// the migration. Old properties have the names of their columns.
  /// - Throws: What the closure throws.
  public func transform(
    _ typeName: String,
    _ body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    try transform(typeName, nil, body)
  }

  /// - Parameter condition: Nil for all objects.
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

extension Migration {
  /// The one of several objects with the same value that stays.
  public struct Survivor<Failure: Error> {
    let rule: SurvivorRule<String>
    let merge:
      ((_ survivor: MigrationObject, _ duplicates: [MigrationObject]) throws(Failure) -> Void)?
  }

  /// Makes the values of a class's primary key unique: of several objects with the same value one
  /// stays, and the others are deleted.
  ///
  /// ```swift
  /// migration.resolveDuplicates(ofType: "Person", keeping: .greatest("updatedAt"))
  /// ```
  ///
  /// Links to the objects that go lead to the one that stays from then on, wherever they are: in
  /// properties, in lists at the same positions, in sets, in maps and in an `AnyRealmValue`. What
  /// is embedded in them goes with them. Nil is a value: of several objects without one, one stays.
  ///
  /// It sees what the block has written so far. What the block writes afterwards may make new
  /// duplicates, and the key is checked after the block as ever. It takes one pass over the class
  /// in the order of the values, and time for each duplicate; memory stays flat. A class without
  /// such a key, and a property that can't be one, fail the migration.
  ///
  /// - Parameters:
  ///   - typeName: The name of a class of the program.
  ///   - property: The property whose values are to be unique; nil for the primary key that the
  ///     class has in the program.
  ///   - survivor: Which object stays.
  /// - Returns: What was done.
  /// - Throws: What the closure of ``Survivor/merging(_:)`` throws.
  @discardableResult
  public func resolveDuplicates<Failure>(
    ofType typeName: String, property: String? = nil, keeping survivor: Survivor<Failure>
  ) throws(Failure) -> DuplicateResolution {
    try resolveDuplicates(typeName, property, survivor, nil)
  }

  /// Makes the values of a property unique among the objects for which a condition was true before
  /// the migration.
  ///
  /// ```swift
  /// migration.resolveDuplicates(
  ///   ofType: "Person", property: "email", keeping: .first, where: "email != nil")
  /// ```
  ///
  /// Objects for which it was not true stay, whatever their values are, and take no links; so do
  /// those that the block has created. The condition sees the file as it was, and the values are
  /// those that the block has written so far. The rules of the condition are those of
  /// ``enumerateObjects(ofType:where:_:block:)``, and the others those of
  /// ``resolveDuplicates(ofType:property:keeping:)``.
  ///
  /// - Returns: What was done.
  /// - Throws: What the closure of ``Survivor/merging(_:)`` throws.
  @discardableResult
  public func resolveDuplicates<Failure>(
    ofType typeName: String, property: String? = nil, keeping survivor: Survivor<Failure>,
    where condition: String, _ arguments: Any...
  ) throws(Failure) -> DuplicateResolution {
    try resolveDuplicates(
      typeName, property, survivor, MigrationCondition(format: condition, arguments: arguments))
  }

  private func resolveDuplicates<Failure>(
    _ typeName: String, _ property: String?, _ survivor: Survivor<Failure>,
    _ condition: MigrationCondition?
  ) throws(Failure) -> DuplicateResolution {
    guard context.status.canWork(),
      let merge = context.status.attempt({
        try DuplicateMerge(context, typeName, property, survivor.rule, where: condition)
      })
    else { return DuplicateResolution() }
    return try merge.run(survivor.merge)
  }
}

extension Migration.Survivor where Failure == Never {
  /// The object that was added first.
  public static var first: Self { Self(rule: .first, merge: nil) }

  /// The object that was added last.
  public static var last: Self { Self(rule: .last, merge: nil) }

  /// The object with the greatest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func greatest(_ property: String) -> Self {
    Self(rule: .greatest(property), merge: nil)
  }

  /// The object with the smallest value of a property, in the order in which `Results` sort: nil is
  /// smaller than any value. Of several, the one that was added first.
  public static func least(_ property: String) -> Self {
    Self(rule: .least(property), merge: nil)
  }
}

extension Migration.Survivor {
  /// The object that was added first, after a closure has had the chance to give it values of the
  /// others.
  ///
  /// ```swift
  /// migration.resolveDuplicates(
  ///   ofType: "Person",
  ///   keeping: .merging { survivor, duplicates in
  ///     for duplicate in duplicates where survivor["email"] == nil {
  ///       survivor["email"] = duplicate["email"]
  ///     }
  ///   })
  /// ```
  ///
  /// The closure is called for each value that occurs more than once, with all objects that have
  /// it, in the order in which they were added. The duplicates are deleted when it was called for
  /// all values; a closure that deletes the survivor fails the migration.
  public static func merging(
    _ merge:
      @escaping (
        _ survivor: MigrationObject, _ duplicates: [MigrationObject]
      ) throws(Failure) -> Void
  ) -> Self {
    Self(rule: .first, merge: merge)
  }
}
