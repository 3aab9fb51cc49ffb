/// Where the values of a later version are in a file that is still at an earlier one.
///
/// A step may rename a class or a property: the values are where they were. What a step adds, or
/// gives another type, is nowhere in the file.
package struct Provenance: Sendable, Hashable {
  private var tables: [String: String] = [:]
  private var properties: [String: [String: Property]] = [:]

  /// The file as it is.
  package init(of file: Schema) {
    for object in file.stored.objectSchema {
      tables[object.className] = object.className
      properties[object.className] = Dictionary(
        object.properties.map { ($0.columnName, $0) }
      ) { first, _ in first }
    }
  }

  /// The table of a class in the file; nil for a class that the file doesn't have.
  package func table(of className: String) -> String? { tables[className] }

  /// The property of the file that has the values of one; nil for one whose values are not there.
  package func property(_ column: String, of className: String) -> Property? {
    properties[className]?[column]
  }

  /// Follows a step.
  package mutating func advance(_ declarations: StepDeclarations, to target: Schema) {
    rename(declarations)
    for object in target.stored.objectSchema {
      guard let known = properties[object.className] else { continue }
      properties[object.className] = known.filter { column, property in
        object.property(exactColumn: column)?.typeName == property.typeName
      }
    }
    for name in declarations.dropped where target[name] == nil {
      tables[name] = nil
      properties[name] = nil
    }
  }

  /// Follows the renames of a step, which come before everything else.
  package mutating func rename(_ declarations: StepDeclarations) {
    for rename in declarations.renamedClasses {
      tables[rename.new] = tables.removeValue(forKey: rename.old)
      properties[rename.new] = properties.removeValue(forKey: rename.old)
    }
    for rename in declarations.renamedProperties {
      guard let property = properties[rename.className]?.removeValue(forKey: rename.old) else {
        continue
      }
      properties[rename.className]?[rename.new] = property
    }
  }
}
