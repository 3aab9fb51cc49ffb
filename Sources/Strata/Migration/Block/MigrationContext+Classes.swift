extension MigrationContext {
  func renameClass(from oldName: String, to newName: String) {
    guard canWork() else { return }
    _ = attempt { try renameClassNow(from: oldName, to: newName) }
  }

  private func renameClassNow(from oldName: String, to newName: String) throws {
    try checkRename(from: oldName, to: newName)
    try runner.run([.renameTable(oldName, to: newName, in: physical)])
    physical = physical.renaming(oldName, to: newName)
    start = start.renaming(oldName, to: newName)
    let fileName = fileNames.removeValue(forKey: oldName) ?? oldName
    fileNames[newName] = fileName
    oldTables[fileName]?.className = newName
    // They are kept by the names of classes.
    defaults = nil
    noteChange()
    touch(nil)
  }

  /// - Throws: ``RealmError`` with code `fail`, with the reason why a class can't be renamed.
  private func checkRename(from oldName: String, to newName: String) throws(RealmError) {
    let message = "Cannot rename class '\(oldName)' to '\(newName)' because"
    guard start[oldName] != nil else {
      throw RealmError(
        .fail, "\(message) the file has no class '\(oldName)'. It has: \(Self.names(start)).")
    }
    guard physical[oldName] != nil else {
      throw RealmError(
        .fail,
        "\(message) the block has deleted '\(oldName)'. Leave out 'deleteData', or the rename.")
    }
    guard newSchema[newName] != nil else {
      throw RealmError(
        .fail,
        "\(message) '\(newName)' is no class of the program. It has: \(Self.names(newSchema)).")
    }
    guard start[newName] == nil else {
      throw RealmError(
        .fail,
        "\(message) the file already has a class '\(newName)'. Rename that one first, or carry the "
          + "objects over with 'enumerateObjects' and 'create'.")
    }
    let concerned = start.classesLinking(to: oldName)
      .union(newSchema.classesLinking(to: newName)).union([oldName, newName])
    let used = concerned.sorted().first { prepared.contains($0) || isLooping(over: $0) }
    if let used {
      throw RealmError(
        .fail,
        "\(message) the block has used '\(used)' before. Call 'renameClass' before anything else that "
          + "concerns the class, or those that link to it.")
    }
  }

  static func names(_ schema: Schema) -> String {
    let names = schema.objectSchema.map(\.className).joined(separator: ", ")
    return names.isEmpty ? "none" : names
  }

  /// A class whose name the program still uses must have got its rows from somewhere: two renames
  /// that follow each other give it those of another class.
  func checkClassRenames() throws(RealmError) {
    for (newName, oldName) in fileNames.sorted(by: { $0.key < $1.key })
    where newSchema[oldName] != nil && fileNames[oldName] == nil {
      throw RealmError(
        .fail,
        "Cannot rename class '\(oldName)' to '\(newName)' because '\(oldName)' is still a class of "
          + "the program. Remove it from the program, or rename another class to it.")
    }
  }

  /// The name that a class has now.
  func currentName(ofFileClass name: String) -> String {
    fileNames.first { SQLName.same($0.value, name) }?.key ?? name
  }

  /// Whether a property of the old side has the values that one of the new side is to have.
  func keepsValues(_ old: Property, as new: Property) -> Bool {
    guard !fileNames.isEmpty else { return old.typeName == new.typeName }
    // The name of its class is in the value.
    guard old.type != .any else { return false }
    var old = old
    old.objectClassName = old.objectClassName.map(currentName(ofFileClass:))
    return old.typeName == new.typeName
  }
}
