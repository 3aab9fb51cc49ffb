/// What a step from one schema version to the next says of itself, besides its closure.
package struct StepDeclarations: Sendable, Hashable {
  /// A property that has another name from this version on.
  package struct PropertyRename: Sendable, Hashable {
    package var className: String
    package var old: String
    package var new: String

    /// Describes a rename of a property, by the name that the class has afterwards.
    package init(className: String, old: String, new: String) {
      self.className = className
      self.old = old
      self.new = new
    }
  }

  /// A class that has another name from this version on.
  package struct ClassRename: Sendable, Hashable {
    package var old: String
    package var new: String

    /// Describes a rename of a class.
    package init(old: String, new: String) {
      self.old = old
      self.new = new
    }
  }

  /// `Person.age`, or `Person` for a whole class: what may go.
  package var dropped: Set<String> = []
  /// By classes that become embedded ones, what becomes of objects that can't as they are.
  package var embeddings: [String: EmbeddingChoice] = [:]
  package var renamedProperties: [PropertyRename] = []
  package var renamedClasses: [ClassRename] = []

  /// A step that says nothing.
  package init() {}

  /// Whether anything must be done besides changing the schema.
  package var needsBlock: Bool {
    !renamedProperties.isEmpty || !renamedClasses.isEmpty
      || dropped.contains { Self.property($0) == nil }
  }
}

extension StepDeclarations {
  /// `Person.age` as class and property; nil without a dot. Only the names of columns may have more
  /// of them.
  package static func property(_ name: String) -> (className: String, name: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// A schema in which classes and properties are called as they are after the step.
  package func renamed(_ schema: Schema) -> Schema {
    var result = schema
    for rename in renamedClasses { result = result.renaming(rename.old, to: rename.new) }
    for rename in renamedProperties {
      guard var object = result[rename.className] else { continue }
      for index in object.properties.indices
      where object.properties[index].columnName == rename.old {
        object.properties[index].name = rename.new
        object.properties[index].columnName = rename.new
        if object.primaryKey == rename.old { object.primaryKey = rename.new }
      }
      result.update(object)
    }
    return result
  }

  /// What is declared and has no place in a step between two schemas, each with the repair.
  package func problems(from old: Schema, to new: Schema) -> [String] {
    var problems: [String] = []
    for rename in renamedClasses {
      if old[rename.old] == nil {
        problems.append(
          "'.renamingClass(\"\(rename.old)\", to: \"\(rename.new)\")': the version before has no "
            + "class '\(rename.old)'.")
      }
      if new[rename.new] == nil {
        problems.append(
          "'.renamingClass(\"\(rename.old)\", to: \"\(rename.new)\")': the version has no class "
            + "'\(rename.new)'.")
      }
    }
    let before = StepDeclarations.with(classes: renamedClasses).renamed(old)
    for rename in renamedProperties {
      let call =
        "'.renaming(\"\(rename.className).\(rename.old)\", to: \"\(rename.new)\")'"
      if before[rename.className]?.property(column: rename.old) == nil {
        problems.append("\(call): the version before has no such property.")
      }
      if new.stored[rename.className]?.property(column: rename.new) == nil {
        problems.append("\(call): the version has no property of the new name.")
      }
    }
    let losses = Set(PossibleLoss.all(from: renamed(old), to: new).map(\.name))
    for name in dropped.sorted() where !losses.contains(name) {
      let isGone = renamed(old)[name] != nil && new[name] == nil
      if isGone { continue }
      problems.append(
        "'.dropping(\"\(name)\")': the step takes nothing of that name away. "
          + (losses.isEmpty
            ? "Remove it." : "What goes is: \(losses.sorted().joined(separator: ", "))."))
    }
    for name in embeddings.keys.sorted() {
      if renamed(old)[name]?.isEmbedded == false, new[name]?.isEmbedded == true { continue }
      problems.append(
        "'.embedding(\"\(name)\")': the class doesn't become an embedded one in this step. Remove "
          + "it, or correct the name.")
    }
    return problems
  }

  private static func with(classes: [ClassRename]) -> StepDeclarations {
    var declarations = StepDeclarations()
    declarations.renamedClasses = classes
    return declarations
  }
}
