import StrataStorage

/// The names of classes and their properties: in the file before the migration, in the program, and
/// in the file at the current step of the migration.
final class BlockClasses {
  /// The classes of the file before the migration.
  let oldSchema: Schema
  /// The classes of the file before the migration, as conditions see them.
  private(set) lazy var oldQuerySchema = QuerySchema(oldSchema)
  /// The classes of the file before the migration, by their current names: a block may rename
  /// classes.
  private(set) var start: Schema
  /// The names of renamed classes in the file, by their current names.
  private(set) var fileNames: [String: String] = [:]
  let discovered: DiscoveredSchema
  /// The tables of the file now, after all loops have been written.
  var physical: Schema { didSet { hasTriggers = false } }
  /// Whether the triggers that maintain links and embedded objects match ``physical``.
  var hasTriggers = false
  /// The classes whose tables have the columns of the program.
  var prepared: Set<String> = []
  /// The properties whose columns a loop has dropped, for a block that renames one afterwards.
  var removed: [String: [Property]] = [:]
  /// The defaults for the changes from the file's classes to the program's; nil until needed.
  private var defaults: ModelDefaults?

  /// - Parameter physical: The classes of the file when the block begins.
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

  /// Renames a class. Returns the name of the class in the file.
  func rename(_ oldName: String, to newName: String) -> String {
    physical = physical.renaming(oldName, to: newName)
    start = start.renaming(oldName, to: newName)
    let fileName = fileNames.removeValue(forKey: oldName) ?? oldName
    fileNames[newName] = fileName
    // The defaults are stored by class names.
    defaults = nil
    return fileName
  }

  /// Returns the name of a class in the file; nil for a class that isn't in the file.
  func fileName(of className: String) -> String? {
    fileNames[className] ?? (start[className] == nil ? nil : className)
  }

  func currentName(ofFileClass name: String) -> String {
    fileNames.first { SQLName.same($0.value, name) }?.key ?? name
  }

  /// Returns the names of classes for an error message.
  static func names(_ schema: Schema) -> String {
    let names = schema.objectSchema.map(\.className).joined(separator: ", ")
    return names.isEmpty ? "none" : names
  }

  // MARK: Properties

  func keepsValues(_ old: Property, as new: Property) -> Bool {
    guard !fileNames.isEmpty else { return old.typeName == new.typeName }
    // The stored value contains the name of its class.
    guard old.type != .any else { return false }
    var old = old
    old.objectClassName = old.objectClassName.map(currentName(ofFileClass:))
    return old.typeName == new.typeName
  }

  /// Returns the properties of a class in the file that aren't in the program any more, and whose
  /// columns are NOT NULL.
  func leftovers(of schema: ObjectSchema) -> [Property] {
    (physical[schema.className]?.properties ?? []).filter { property in
      // A collection of the same name is in a table of its own.
      property.isStoredInColumn && !property.isNullable
        && schema.storedColumn(property.columnName) == nil
    }
  }

  /// Returns the class of the embedded object that a property owns; nil for any other property, and
  /// for one whose objects become embedded only after the block.
  func embeddedTarget(of property: Property) -> String? {
    guard property.type == .object, let name = property.objectClassName,
      physical[name]?.isEmbedded == true
    else { return nil }
    return name
  }

  // MARK: Renames of the block

  /// Checks that the block has renamed to properties and classes of the program only.
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

  /// Checks class renames. If the program still uses the old name, another class must have been
  /// renamed to that name; otherwise the class would have no rows.
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
