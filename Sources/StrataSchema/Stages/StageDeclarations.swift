/// The declarations of a stage from one schema version to the next, besides its closure.
package struct StageDeclarations: Sendable, Hashable {
  package struct PropertyRename: Sendable, Hashable {
    package var className: String
    package var old: String
    package var new: String

    /// Creates a rename of a property, by the new name of the class.
    package init(className: String, old: String, new: String) {
      self.className = className
      self.old = old
      self.new = new
    }
  }

  package struct ClassRename: Sendable, Hashable {
    package var old: String
    package var new: String

    package init(old: String, new: String) {
      self.old = old
      self.new = new
    }
  }

  /// The properties and classes that may be dropped: `Person.age`, or `Person` for a whole class.
  package var dropped: Set<String> = []
  /// The version up to which retired properties are dropped; nil for none.
  package var droppedRetired: UInt64?
  /// The handling of objects that can't be embedded as they are, by class.
  package var embeddings: [String: EmbeddingChoice] = [:]
  package var renamedProperties: [PropertyRename] = []
  package var renamedClasses: [ClassRename] = []

  package init() {}

  /// Whether the stage has more to do than changing the schema.
  package var needsBlock: Bool {
    !renamedProperties.isEmpty || !renamedClasses.isEmpty || droppedRetired != nil
      || dropped.contains { Self.property($0) == nil }
  }
}

extension StageDeclarations {
  package var names: ChangedNames {
    var names = ChangedNames()
    rename(in: &names)
    return names
  }

  package func rename(in names: inout ChangedNames) {
    for rename in renamedClasses { names.renameClass(rename.old, to: rename.new) }
    for rename in renamedProperties {
      names.renameProperty(rename.old, of: rename.className, to: rename.new)
    }
  }

  /// Returns the class and the property of `Person.age`; nil without a dot. Only the names of
  /// columns may contain further dots.
  package static func property(_ name: String) -> (className: String, name: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// Returns the schema with the names of classes and properties after the stage.
  ///
  /// A property is excluded if another property takes its name: see ``replaced(in:)``.
  package func renamed(_ schema: Schema) -> Schema {
    var result = withRenamedClasses(schema)
    for rename in renamedProperties { result = result.renaming(rename).schema }
    return result
  }

  /// Returns the schema with the new names of classes, but the old names of properties.
  func withRenamedClasses(_ schema: Schema) -> Schema {
    renamedClasses.reduce(schema) { $0.renaming($1.old, to: $1.new) }
  }

  /// Returns the properties whose names others take, and whose values are lost therefore.
  package func replaced(in schema: Schema) -> [PossibleLoss] {
    var result = withRenamedClasses(schema)
    return renamedProperties.compactMap { rename in
      let (schema, replaced) = result.renaming(rename)
      result = schema
      return replaced.map { PossibleLoss(className: rename.className, property: $0) }
    }
  }

  /// Returns the schema of a file after the stage, from its schema before. It includes classes that
  /// the version doesn't have, which are kept until they are dropped.
  package func schema(after schema: Schema, to target: Schema) -> Schema {
    var result = renamed(schema.stored)
    for name in dropped where result[name] != nil && target[name] == nil {
      result = result.removing(name)
    }
    for object in target.stored.objectSchema { result.update(object) }
    return result
  }
}

extension Schema {
  /// Returns the schema after a rename, and the property that had the new name before.
  func renaming(
    _ rename: StageDeclarations.PropertyRename
  ) -> (schema: Schema, replaced: Property?) {
    guard var object = self[rename.className], object.property(column: rename.old) != nil else {
      return (self, nil)
    }
    let replaced = object.property(column: rename.new)
    object.properties.removeAll { $0.columnName == rename.new }
    object.removeCompoundIndexes(with: rename.new)
    object.rename([rename.old: rename.new])
    var result = self
    result.update(object)
    return (result, replaced)
  }
}

extension StageDeclarations {
  /// Returns the declarations that don't fit a stage between two schemas, each with the repair.
  ///
  /// - Parameter leftovers: The classes that files at that version may have: its own classes, and
  ///   classes of earlier versions that were not dropped.
  package func problems(
    from old: Schema, leftovers: Schema? = nil, to new: Schema
  ) -> [String] {
    let present = leftovers ?? old
    let losses = Set(
      (PossibleLoss.all(from: renamed(present), to: new) + replaced(in: present)).map(\.name))
    var problems = classProblems(from: old, to: new) + propertyProblems(from: old, to: new)
    for name in dropped.sorted() where !losses.contains(name) {
      if renamed(present)[name] != nil, new[name] == nil { continue }
      problems.append(
        "'.dropping(\"\(name)\")': the stage removes nothing of that name. "
          + (losses.isEmpty
            ? "Remove it." : "It removes: \(losses.sorted().joined(separator: ", "))."))
    }
    for name in embeddings.keys.sorted() {
      if renamed(present)[name]?.isEmbedded == false, new[name]?.isEmbedded == true { continue }
      problems.append(
        "'.embedding(\"\(name)\")': the class doesn't become an embedded one in this stage. Remove "
          + "it, or correct the name.")
    }
    return problems
  }

  private func classProblems(from old: Schema, to new: Schema) -> [String] {
    var problems: [String] = []
    var current = old
    for rename in renamedClasses {
      let call = "'.renamingClass(\"\(rename.old)\", to: \"\(rename.new)\")'"
      if current[rename.old] == nil {
        problems.append("\(call): the version before has no class '\(rename.old)'.")
      } else if current[rename.new] != nil {
        problems.append(
          "\(call): the version before has a class '\(rename.new)' already. Rename that one first; "
            + "two classes that exchange their names keep those of the file: override "
            + "'_realmObjectName()' in both.")
      }
      if new[rename.new] == nil {
        problems.append("\(call): the version has no class '\(rename.new)'.")
      }
      if new[rename.old] != nil, !renamedClasses.contains(where: { $0.new == rename.old }) {
        problems.append(
          "\(call): the version still has a class '\(rename.old)'. Remove it from the version, or "
            + "rename another class to it.")
      }
      current = current.renaming(rename.old, to: rename.new)
    }
    return problems
  }

  private func propertyProblems(from old: Schema, to new: Schema) -> [String] {
    var problems: [String] = []
    let target = new.stored
    // Links to renamed classes keep their type.
    var current = withRenamedClasses(old).stored
    for rename in renamedProperties {
      let call = "'.renaming(\"\(rename.className).\(rename.old)\", to: \"\(rename.new)\")'"
      let before = current[rename.className]?.property(column: rename.old)
      let after = target[rename.className]?.property(column: rename.new)
      if before == nil { problems.append("\(call): the version before has no such property.") }
      if after == nil { problems.append("\(call): the version has no property of the new name.") }
      if before != nil, target[rename.className]?.property(column: rename.old) != nil {
        problems.append(
          "\(call): the version still has a property of the old name. Remove it from the version, "
            + "or carry the values over in the closure of the stage.")
      } else if let before, let after, before.typeName != after.typeName {
        problems.append(
          "\(call): the type changes from '\(before.typeName)' to '\(after.typeName)', which a "
            + "rename can't do. Carry the values over in the closure of the stage.")
      } else if let before, let after, before.isNullable, !after.isNullable {
        problems.append(
          "\(call): the property changes from optional to required, which a rename can't do. Carry "
            + "the values over in the closure of the stage.")
      }
      current = current.renaming(rename).schema
    }
    return problems
  }
}

/// The check of the numbers of successive versions.
package enum VersionSequence {
  /// Returns the reasons why numbers don't form a sequence of versions, in the order of the
  /// numbers, each with the repair.
  ///
  /// Each version must be listed, because a file may be at any of them, and a stage leads from each
  /// version to the next.
  package static func problems(in versions: [Int]) -> [String] {
    guard !versions.isEmpty else {
      return ["It has no versions. List at least the one that the program is at."]
    }
    return versions.filter { $0 < 0 }.map { "Version \($0) is less than 0. Versions begin at 0." }
      + zip(versions, versions.dropFirst()).compactMap { problem(after: $0, $1, in: versions) }
  }

  private static func problem(after before: Int, _ next: Int, in versions: [Int]) -> String? {
    if next < before, versions.count(where: { $0 == next }) == 1 {
      return "Version \(next) comes after version \(before). List versions in ascending order."
    }
    if next <= before {
      return "Version \(next) is listed twice. Remove one of the two, or give it a number of its "
        + "own."
    }
    switch next {
    case before + 1: return nil
    case before + 2:
      return "Version \(before + 1) is missing between \(before) and \(next). Add it, as classes "
        + "or frozen, or number the versions without gaps."
    default:
      return "Versions \(before + 1) to \(next - 1) are missing between \(before) and \(next). Add "
        + "them, as classes or frozen, or number the versions without gaps."
    }
  }
}
