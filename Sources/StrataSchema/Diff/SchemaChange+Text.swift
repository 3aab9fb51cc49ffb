extension SchemaChange: CustomStringConvertible {
  /// The sentence that Realm has for the change.
  package var description: String {
    switch self {
    case .addClass(let schema):
      "Class '\(schema.className)' has been added."
    case .addProperty(let name, let property):
      "Property '\(name).\(property.columnName)' has been added."
    case .removeProperty(let name, let property):
      "Property '\(name).\(property.columnName)' has been removed."
    case .changeType(let name, let old, let new):
      "Property '\(name).\(new.columnName)' has been changed "
        + "from '\(old.typeName)' to '\(new.typeName)'."
    case .makeOptional(let name, let property):
      "Property '\(name).\(property.columnName)' has been made optional."
    case .makeRequired(let name, let property):
      "Property '\(name).\(property.columnName)' has been made required."
    case .addIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has been made indexed."
    case .removeIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has been made unindexed."
    case .addTextIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has got a full-text index."
    case .removeTextIndex(let name, let property):
      "Property '\(name).\(property.columnName)' has lost its full-text index."
    case .addCompoundIndex(let name, let columns):
      "Properties \(Self.list(columns, of: name)) have been made indexed together."
    case .removeCompoundIndex(let name, let columns):
      "Properties \(Self.list(columns, of: name)) have been made unindexed together."
    case .addPrimaryKey(let name, _):
      "Primary Key for class '\(name)' has been added."
    case .removePrimaryKey(let name, _):
      "Primary Key for class '\(name)' has been removed."
    case .changePrimaryKey(let name, let old, let new):
      "Primary Key for class '\(name)' has changed from '\(old)' to '\(new)'."
    case .changeKind(let name, toEmbedded: true):
      "Class '\(name)' has been changed from TopLevel to Embedded."
    case .changeKind(let name, toEmbedded: false):
      "Class '\(name)' has been changed from Embedded to TopLevel."
    }
  }

  private static func list(_ columns: [String], of className: String) -> String {
    columns.map { "'\(className).\($0)'" }.joined(separator: ", ")
  }
}
