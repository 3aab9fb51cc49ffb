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
