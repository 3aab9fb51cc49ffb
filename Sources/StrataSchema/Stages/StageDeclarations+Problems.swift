extension StageDeclarations {
  /// What is declared and has no place in a stage between two schemas, each with the repair.
  ///
  /// - Parameters:
  ///   - old: The version before.
  ///   - leftovers: What files at that version may have: its classes, and those of earlier versions
  ///     that were not dropped.
  ///   - new: The version.
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
        "'.dropping(\"\(name)\")': the stage takes nothing of that name away. "
          + (losses.isEmpty
            ? "Remove it." : "What goes is: \(losses.sorted().joined(separator: ", "))."))
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
