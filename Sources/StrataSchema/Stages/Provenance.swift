/// The origin of the values of a later version in a file that is still at an earlier one.
///
/// A stage may rename a class or a property: the values are where they were. What a stage adds, or
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

  /// The name that a class of the file has at this version; nil for one that was dropped.
  package func className(ofTable table: String) -> String? {
    tables.first { $0.value == table }?.key
  }

  /// The type of a property of the file, its class by the name that it has at this version.
  private func typeName(_ property: Property) -> String {
    var property = property
    property.objectClassName = property.objectClassName.map { className(ofTable: $0) ?? $0 }
    return property.typeName
  }

  /// The file as it is, without links that are gone when a stage is done.
  ///
  /// - Parameter dropped: The names of classes that go with the stage.
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

  /// Follows a stage.
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

  /// Follows the renames of a stage, which come before everything else.
  package mutating func rename(_ declarations: StageDeclarations) {
    renameClasses(declarations)
    for rename in declarations.renamedProperties {
      let property = properties[rename.className]?.removeValue(forKey: rename.old)
      properties[rename.className]?[rename.new] = property
    }
  }

  /// Follows the renames of classes only.
  package mutating func renameClasses(_ declarations: StageDeclarations) {
    for rename in declarations.renamedClasses {
      tables[rename.new] = tables.removeValue(forKey: rename.old)
      properties[rename.new] = properties.removeValue(forKey: rename.old)
    }
  }
}
