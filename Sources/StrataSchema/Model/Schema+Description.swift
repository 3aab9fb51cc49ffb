extension Property: CustomStringConvertible {
  /// One line for humans, such as `age: int (indexed)`.
  public var description: String { line(isPrimaryKey: false) }

  fileprivate func line(isPrimaryKey: Bool) -> String {
    var notes: [String] = []
    if isPrimaryKey { notes.append("primary key") }
    if isOptional { notes.append("optional") }
    if wantsIndex { notes.append("indexed") }
    if wantsTextIndex { notes.append("full text") }
    if columnName != name { notes.append("column '\(columnName)'") }
    if let linkOriginPropertyName { notes.append("through '\(linkOriginPropertyName)'") }
    let suffix = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
    return "\(name): \(typeName)\(suffix)"
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class, its properties and its indexes of several of them, one line each.
  public var description: String {
    let properties = allProperties.map { $0.line(isPrimaryKey: $0.name == primaryKey) }
    let indexes = compoundIndexes.map { "compound index (\($0.joined(separator: ", ")))" }
    let lines = (properties + indexes).map { "\n  " + $0 }
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\(lines.joined())\n}"
  }
}

extension Schema: CustomStringConvertible {
  /// All classes, sorted by name, and their properties.
  public var description: String {
    let lines = objectSchema.flatMap { $0.description.split(separator: "\n") }
    return "Schema {\(lines.map { "\n  " + $0 }.joined())\n}"
  }
}
