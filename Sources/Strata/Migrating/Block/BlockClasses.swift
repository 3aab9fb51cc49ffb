import StrataStorage

/// The names of the classes and their properties: in the file before the migration, in the program,
/// and in the file at this moment.
final class BlockClasses {
  /// The classes of the file before the migration.
  let oldSchema: Schema
  /// The same as conditions look into it.
  private(set) lazy var oldQuerySchema = QuerySchema(oldSchema)
  /// The same by the names that the classes have now: a block may rename them.
  private(set) var start: Schema
  /// By the names that renamed classes have now, those that they have in the file.
  private(set) var fileNames: [String: String] = [:]
  let discovered: DiscoveredSchema
  /// What is in the file at this moment, when all loops are written.
  var physical: Schema { didSet { hasTriggers = false } }
  /// Whether the triggers that keep links and embedded objects right are those of ``physical``.
  var hasTriggers = false
  /// The classes whose tables have the columns of the program.
  var prepared: Set<String> = []
  /// The properties whose columns a loop has removed, for a block that renames one afterwards.
  var removed: [String: [Property]] = [:]
  /// The defaults of the program's classes, beside what the file has of them; nil until needed.
  private var defaults: ModelDefaults?

  /// - Parameter physical: The classes of the file as they are when the block begins.
  init(_ oldSchema: Schema, _ physical: Schema, _ discovered: DiscoveredSchema) {
    self.oldSchema = oldSchema
    self.discovered = discovered
    start = oldSchema
    self.physical = physical
  }

  /// The classes of the program.
  var newSchema: Schema { discovered.schema }

  func makeDefaults() throws -> ModelDefaults {
    if let defaults { return defaults }
    let changes = SchemaDiff.changes(from: start, to: newSchema)
    let made = try ModelDefaults(of: changes, discovered.classes)
    defaults = made
    return made
  }

  // MARK: Names

  /// Gives a class another name; returns the one that it has in the file.
  func rename(_ oldName: String, to newName: String) -> String {
    physical = physical.renaming(oldName, to: newName)
    start = start.renaming(oldName, to: newName)
    let fileName = fileNames.removeValue(forKey: oldName) ?? oldName
    fileNames[newName] = fileName
    // They are kept by the names of classes.
    defaults = nil
    return fileName
  }

  /// The name that a class has in the file; nil for one that the file doesn't have.
  func fileName(of className: String) -> String? {
    fileNames[className] ?? (start[className] == nil ? nil : className)
  }

  /// The name that a class has now.
  func currentName(ofFileClass name: String) -> String {
    fileNames.first { SQLName.same($0.value, name) }?.key ?? name
  }

  /// The names of classes for an error.
  static func names(_ schema: Schema) -> String {
    let names = schema.objectSchema.map(\.className).joined(separator: ", ")
    return names.isEmpty ? "none" : names
  }

  // MARK: Properties

  /// Whether a property of the old side has the values that one of the new side is to have.
  func keepsValues(_ old: Property, as new: Property) -> Bool {
    guard !fileNames.isEmpty else { return old.typeName == new.typeName }
    // The name of its class is in the value.
    guard old.type != .any else { return false }
    var old = old
    old.objectClassName = old.objectClassName.map(currentName(ofFileClass:))
    return old.typeName == new.typeName
  }

  /// The properties of a class in the file that the program no longer has, and whose columns refuse
  /// NULL.
  func leftovers(of schema: ObjectSchema) -> [Property] {
    (physical[schema.className]?.properties ?? []).filter { property in
      // A collection of the same name is in a table of its own.
      property.isStoredInColumn && !property.isNullable
        && schema.storedColumn(property.columnName) == nil
    }
  }

  /// The class of embedded objects that a property has as its own; nil for any other property, and
  /// for one whose objects become embedded only after the block.
  func embeddedTarget(of property: Property) -> String? {
    guard property.type == .object, let name = property.objectClassName,
      physical[name]?.isEmbedded == true
    else { return nil }
    return name
  }

  // MARK: Renames of the block

  /// Checks that the renames of the block lead to properties and classes of the program.
  ///
  /// - Throws: ``RealmError`` with code `fail`.
  func checkRenames() throws(RealmError) {
    try checkPropertyRenames()
    try checkClassRenames()
  }

  private func checkPropertyRenames() throws(RealmError) {
    for schema in physical.objectSchema {
      guard let target = newSchema.stored[schema.className],
        let start = start[schema.className]
      else { continue }
      for property in schema.properties
      where target.property(column: property.columnName) == nil
        && start.property(column: property.columnName) == nil
      {
        throw RealmError(
          .fail,
          "Renamed property '\(schema.className).\(property.columnName)' does not exist. Rename it "
            + "to a property of the class.")
      }
    }
  }

  /// A class whose name the program still uses must have got its rows from somewhere: two renames
  /// that follow each other give it those of another class.
  private func checkClassRenames() throws(RealmError) {
    for (newName, oldName) in fileNames.sorted(by: { $0.key < $1.key })
    where newSchema[oldName] != nil && fileNames[oldName] == nil {
      throw RealmError(
        .fail,
        "Cannot rename class '\(oldName)' to '\(newName)' because '\(oldName)' is still a class of "
          + "the program. Remove it from the program, or rename another class to it.")
    }
  }
}
