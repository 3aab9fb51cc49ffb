/// The names that the classes and properties of a program have in a newer file.
package struct ProgramNames: Sendable, Hashable {
  /// The classes of the program in their stored form, with the names of the file.
  package let schema: Schema
  /// The names in the file of the classes that have another name there, by the program's names.
  package private(set) var classes: [String: String] = [:]
  /// The columns in the file of the properties that have another column there: by the program's
  /// class, then by the program's column.
  package private(set) var columns: [String: [String: String]] = [:]

  /// Follows the recorded renames.
  ///
  /// - Parameter version: The version whose names the classes have.
  init(_ program: Schema, at version: UInt64, in versions: [RecordedFile.Entry]) {
    var schema = program.stored
    let isRecorded = versions.contains { $0.version == version }
    var origins = Dictionary(schema.objectSchema.map { ($0.className, $0) }) { first, _ in first }
    for later in versions where later.version > version {
      let names = later.record.names
      var renamed: [String: ObjectSchema] = [:]
      schema = Schema(
        schema.objectSchema.map { object in
          var new = object
          new.className = names.className(
            of: object.className, in: schema, acceptsNew: !isRecorded)
          renamed[new.className] = origins[object.className]
          new.rename(names.columns(of: new, acceptsNew: !isRecorded))
          for index in new.properties.indices {
            guard let target = new.properties[index].objectClassName else { continue }
            new.properties[index].objectClassName = names.className(
              of: target, in: schema, acceptsNew: !isRecorded)
          }
          return new
        })
      origins = renamed
    }
    self.schema = schema
    for object in schema.objectSchema {
      guard let origin = origins[object.className] else { continue }
      if !SQLName.same(origin.className, object.className) {
        classes[origin.className] = object.className
      }
      for (old, new) in zip(origin.properties, object.properties)
      where !SQLName.same(old.columnName, new.columnName) {
        columns[origin.className, default: [:]][old.columnName] = new.columnName
      }
    }
  }

  /// Whether the names of all classes differ, and of all properties of a class. Names can be equal
  /// only if another program has changed the file's records.
  package var areUnique: Bool {
    func isUnique(_ names: [String]) -> Bool {
      Set(names.map { SQLName.folded($0) }).count == names.count
    }
    return isUnique(schema.objectSchema.map(\.className))
      && schema.objectSchema.allSatisfy { isUnique($0.properties.map(\.columnName)) }
  }

  /// Whether all names are the program's own.
  package var isEmpty: Bool { classes.isEmpty && columns.isEmpty }

  /// Returns the program's name of a class or property of the file, as `Person.age`; nil if the
  /// names are the same.
  func programName(of className: String, _ column: String?) -> String? {
    let ownClass = classes.first { $0.value == className }?.key ?? className
    guard let column else { return ownClass == className ? nil : ownClass }
    let ownColumn = columns[ownClass]?.first { $0.value == column }?.key ?? column
    if ownClass == className, ownColumn == column { return nil }
    return "\(ownClass).\(ownColumn)"
  }

  /// The renames as sentences, for a program that must open the file again.
  package var sentences: [String] {
    let renamed = classes.map { "Class '\($0.key)' is '\($0.value)' now." }
    let properties = columns.flatMap { className, columns in
      columns.map {
        "Property '\(className).\($0.key)' is '\(classes[className] ?? className).\($0.value)' now."
      }
    }
    return renamed.sorted() + properties.sorted()
  }
}

extension ChangedNames {
  /// Returns the new name of a class.
  ///
  /// - Parameter acceptsNew: Whether the schema may have the new names already.
  fileprivate func className(of name: String, in schema: Schema, acceptsNew: Bool) -> String {
    guard let new = classes[name] else { return name }
    if acceptsNew, schema[new] != nil, classes[new] == nil { return name }
    return new
  }

  /// Returns the new columns of a class, which has its new name, by the old ones.
  fileprivate func columns(of object: ObjectSchema, acceptsNew: Bool) -> [String: String] {
    let names = properties[object.className] ?? [:]
    guard acceptsNew else { return names }
    return names.filter { names[$0.value] != nil || object.property(exactColumn: $0.value) == nil }
  }
}

extension ObjectSchema {
  /// Gives columns other names, in the properties, the primary key and the compound indexes.
  fileprivate mutating func rename(_ columns: [String: String]) {
    guard !columns.isEmpty else { return }
    for index in properties.indices {
      guard let new = columns[properties[index].columnName] else { continue }
      properties[index].name = new
      properties[index].columnName = new
    }
    primaryKey = primaryKey.map { columns[$0] ?? $0 }
    compoundIndexes = compoundIndexes.map { $0.map { columns[$0] ?? $0 } }
  }
}
