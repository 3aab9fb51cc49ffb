/// The origin of the values of a later version in a file at an earlier one.
///
/// A stage may rename a class or a property; the values are then in the old table and column.
/// Values that a stage adds, or gives another type, are not in the file.
package struct Provenance: Sendable, Hashable {
  private var tables: [String: String] = [:]
  private var properties: [String: [String: Property]] = [:]

  /// Creates the origins of the file's own version.
  package init(of file: Schema) {
    for object in file.stored.objectSchema {
      tables[object.className] = object.className
      properties[object.className] = Dictionary(
        object.properties.map { ($0.columnName, $0) }
      ) { first, _ in first }
    }
  }

  /// Returns the table of a class in the file; nil if the file doesn't have the class.
  package func table(of className: String) -> String? { tables[className] }

  /// Returns the file's property with the values of a property; nil if the values are not in the
  /// file.
  package func property(_ column: String, of className: String) -> Property? {
    properties[className]?[column]
  }

  /// Returns the present name of a class of the file; nil for a dropped class.
  package func className(ofTable table: String) -> String? {
    tables.first { $0.value == table }?.key
  }

  /// Returns the type of a property of the file, with the present name of its class.
  private func typeName(_ property: Property) -> String {
    var property = property
    property.objectClassName = property.objectClassName.map { className(ofTable: $0) ?? $0 }
    return property.typeName
  }

  /// Returns the schema of the file without links that are removed by a stage.
  ///
  /// - Parameter dropped: The names of the classes that the stage drops.
  package func links(of file: Schema, in target: Schema, dropping dropped: Set<String>) -> Schema {
    let target = target.stored
    return Schema(
      file.stored.objectSchema.compactMap { object in
        guard let name = className(ofTable: object.className),
          target[name] != nil || !dropped.contains(name)
        else { return nil }
        var object = object
        // A class that only the file has keeps its links.
        guard let wanted = target[name] else { return object }
        let columns = (properties[name] ?? [:]).filter { column, property in
          wanted.property(exactColumn: column)?.typeName == typeName(property)
        }
        let kept = Set(columns.values.map(\.columnName))
        object.properties.removeAll {
          ($0.type == .object || $0.type == .any) && !kept.contains($0.columnName)
        }
        return object
      })
  }

  package mutating func advance(_ declarations: StageDeclarations, to target: Schema) {
    rename(declarations)
    for object in target.stored.objectSchema {
      guard let known = properties[object.className] else { continue }
      properties[object.className] = known.filter { column, property in
        object.property(exactColumn: column)?.typeName == typeName(property)
      }
    }
    for name in declarations.dropped where target[name] == nil {
      tables[name] = nil
      properties[name] = nil
    }
  }

  /// Applies the renames of a stage, which come before everything else.
  package mutating func rename(_ declarations: StageDeclarations) {
    renameClasses(declarations)
    for rename in declarations.renamedProperties {
      let property = properties[rename.className]?.removeValue(forKey: rename.old)
      properties[rename.className]?[rename.new] = property
    }
  }

  package mutating func renameClasses(_ declarations: StageDeclarations) {
    for rename in declarations.renamedClasses {
      tables[rename.new] = tables.removeValue(forKey: rename.old)
      properties[rename.new] = properties.removeValue(forKey: rename.old)
    }
  }
}
