/// The decision about what a program may do with a file of a newer version: one function of the
/// program's classes and the records of the file.
///
/// A change that this function doesn't know to be harmless is an obstacle.
package struct Compatibility: Sendable, Hashable {
  /// The use of a file that an obstacle prevents. Each use includes the uses before it.
  package enum Use: Int, Sendable, Hashable, Comparable {
    /// Opening the file at all.
    case reading
    /// Opening the file for writing.
    case changing
    /// Adding objects to the class of the obstacle.
    case inserting

    package static func < (first: Use, second: Use) -> Bool { first.rawValue < second.rawValue }
  }

  /// A change that prevents a use.
  package struct Obstacle: Sendable, Hashable {
    package var use: Use
    /// The class by its name in the file; nil for the whole file.
    package var className: String?
    /// The property by its column in the file.
    package var property: String?
    /// The change with its version, as a sentence.
    package var text: String
  }

  /// The obstacles, in the order of the classes.
  package private(set) var obstacles: [Obstacle] = []
  /// The names of the program's classes and columns in the file.
  package let names: ProgramNames
  /// The classes of which the file has columns or collections that the program doesn't know, by
  /// their names in the file.
  package private(set) var extended: Set<String> = []

  /// Decides for a program.
  ///
  /// - Parameter namedAt: The version of the file whose names the program's classes have; nil for
  ///   the program's version.
  package static func of(
    program: Schema, version: UInt64, namedAt: UInt64? = nil, with file: RecordedFile
  ) -> Compatibility {
    guard let newest = file.versions.last else {
      return Compatibility(names: ProgramNames(program, at: version, in: []))
    }
    let comparison = Comparison(program, namedAt ?? version, file)
    var result = Compatibility(names: comparison.names)
    result.add(newest, version)
    guard comparison.names.areUnique else {
      result.obstacles.append(
        Obstacle(
          use: .reading,
          text: "The renames in table 'strata_schema_version' give two names the same new name."))
      return result
    }
    for (change, use) in comparison.refusals {
      let since = comparison.since(change)
      result.obstacles.append(
        Obstacle(
          use: use, className: change.place.className, property: change.place.property,
          text: change.text(preventing: use, since: since, comparison.names)))
    }
    result.extended = comparison.extended
    return result
  }

  /// Adds the limits that the file's newest version declares.
  private mutating func add(_ newest: RecordedFile.Entry, _ version: UInt64) {
    let limits = [
      (Use.reading, newest.oldestReader, "be read"),
      (.changing, newest.oldestWriter, "be written to"),
    ]
    for case (let use, let oldest?, let verb) in limits where version < oldest {
      obstacles.append(
        Obstacle(
          use: use,
          text: "Version \(newest.version) may \(verb) by programs from version \(oldest) on."
        ))
    }
  }

  /// Returns the obstacles of a use of the whole file, with the obstacles of lesser uses.
  package func obstacles(to use: Use) -> [Obstacle] {
    obstacles.filter { $0.use <= use && $0.use < .inserting }
  }

  /// Returns this decision, extended by the decision about classes that only the file had when it
  /// was opened.
  package func including(_ shown: Compatibility) -> Compatibility {
    let own = Set(names.schema.objectSchema.map(\.className))
    var result = self
    result.obstacles += shown.obstacles.filter { $0.className.map { !own.contains($0) } ?? false }
    result.extended.formUnion(shown.extended.subtracting(own))
    return result
  }

  /// The obstacles of adding objects, by class.
  package var insertions: [String: [Obstacle]] {
    Dictionary(grouping: obstacles.filter { $0.use == .inserting }) { $0.className ?? "" }
  }
}

/// A difference between the classes of a program and the classes of a newer file.
enum FileChange: Hashable {
  case schema(SchemaChange)
  case removeClass(String)

  /// The class and the column of the property, by their names in the file.
  var place: (className: String, property: String?) {
    switch self {
    case .schema(let change): change.place
    case .removeClass(let name): (name, nil)
    }
  }

  /// Returns the change as a sentence, with the program's names if they are others.
  ///
  /// - Parameter use: The least use that the change prevents.
  func text(preventing use: Compatibility.Use, since version: UInt64?, _ names: ProgramNames)
    -> String
  {
    let sentence =
      switch self {
      case .schema(let change): change.description
      case .removeClass(let name): "Class '\(name)' has been removed."
      }
    var text = String(sentence.dropLast()) + (version.map { " in version \($0)" } ?? "")
    if use == .inserting {
      text += ", is required, and has no default in the file that is right for each new object"
    }
    if let own = names.programName(of: place.className, place.property) {
      text += " (this program calls it '\(own)')"
    }
    return text + "."
  }
}

/// A comparison of the classes of a program with a newer file.
private struct Comparison {
  private let program: Schema
  private let namedAt: UInt64
  private let file: RecordedFile
  let names: ProgramNames
  private let changes: [FileChange]
  private let record: SchemaRecord

  /// Compares with the last one of the file's versions.
  init(_ program: Schema, _ namedAt: UInt64, _ file: RecordedFile) {
    self.program = program
    self.namedAt = namedAt
    self.file = file
    names = ProgramNames(program, at: namedAt, in: file.versions)
    record = file.versions.last?.record ?? SchemaRecord(Schema())
    let renamed = names.schema
    let present = record.schemaWithRetired.stored
    changes =
      renamed.objectSchema.filter { present[$0.className] == nil }.map {
        .removeClass($0.className)
      } + SchemaDiff.changes(from: renamed, to: present).map { .schema($0) }
  }

  /// The changes that prevent something, with the least use that they prevent.
  var refusals: [(change: FileChange, use: Compatibility.Use)] {
    changes.compactMap { change in
      guard case .schema(let schemaChange) = change else { return (change, .reading) }
      switch schemaChange {
      case .addClass, .addIndex, .removeIndex, .addTextIndex, .addCompoundIndex,
        .removeCompoundIndex:
        return nil
      case .addProperty(let name, let property):
        return needsDefault(property, of: name) ? (change, .inserting) : nil
      case .makeOptional(let name, let property), .makeRequired(let name, let property):
        return isOrdinary(property, of: name) ? nil : (change, .reading)
      case .removeProperty, .changeType, .removeTextIndex, .addPrimaryKey, .removePrimaryKey,
        .changePrimaryKey, .changeKind:
        return (change, .reading)
      }
    }
  }

  /// Whether a new object of a program that doesn't know the property would violate NOT NULL, or
  /// get a value that the class wouldn't give.
  private func needsDefault(_ property: Property, of className: String) -> Bool {
    guard property.isStoredInColumn, !property.isNullable else { return false }
    let isPerObject = record.perObject[className]?.contains(property.columnName) ?? false
    return isPerObject || !file.hasDefault(property, of: className)
  }

  /// Whether the property is a single value, and not the primary key.
  private func isOrdinary(_ property: Property, of className: String) -> Bool {
    property.isStoredInColumn
      && record.schema[className]?.primaryKeyProperty?.columnName != property.columnName
  }

  var extended: Set<String> {
    Set(
      changes.compactMap { change in
        if case .schema(.addProperty(let name, _)) = change { name } else { nil }
      })
  }

  /// Returns the first recorded version with a change; nil if older versions aren't recorded.
  func since(_ change: FileChange) -> UInt64? {
    for (position, version) in file.versions.enumerated() where version.version > namedAt {
      let before = RecordedFile(Array(file.versions[...position]), defaults: file.defaults)
      let comparison =
        position == file.versions.count - 1
        ? self : Comparison(program, namedAt, before)
      if comparison.refusals.contains(where: { $0.change == change }) { return version.version }
    }
    return nil
  }
}

extension SchemaChange {
  /// The class, and the column of the property.
  var place: (className: String, property: String?) {
    switch self {
    case .addClass(let object): (object.className, nil)
    case .addProperty(let name, let property), .removeProperty(let name, let property),
      .changeType(let name, _, let property), .makeOptional(let name, let property),
      .makeRequired(let name, let property), .addIndex(let name, let property),
      .removeIndex(let name, let property), .addTextIndex(let name, let property),
      .removeTextIndex(let name, let property):
      (name, property.columnName)
    case .addCompoundIndex(let name, _), .removeCompoundIndex(let name, _),
      .changeKind(let name, _):
      (name, nil)
    case .addPrimaryKey(let name, let property), .removePrimaryKey(let name, let property),
      .changePrimaryKey(let name, _, let property):
      (name, property)
    }
  }
}

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
  mutating func rename(_ columns: [String: String]) {
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
