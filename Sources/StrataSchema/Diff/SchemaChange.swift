/// A difference between the schema of a file and the schema that a program declares.
///
/// All names are column names, because a file stores no others. A case with one property carries
/// the new one, except for removed properties.
package enum SchemaChange: Sendable, Hashable {
  /// The file has no table for the class.
  case addClass(ObjectSchema)
  /// The file has no column for the property.
  case addProperty(class: String, Property)
  /// The file has a column without a property in the class.
  case removeProperty(class: String, Property)
  /// The base type, the link target or the kind of collection differs.
  case changeType(class: String, from: Property, to: Property)
  /// A required property has become optional.
  case makeOptional(class: String, Property)
  /// An optional property has become required.
  case makeRequired(class: String, Property)
  /// The model requests an index.
  case addIndex(class: String, Property)
  /// The model no longer requests an index.
  case removeIndex(class: String, Property)
  /// The model requests a full-text index.
  case addTextIndex(class: String, Property)
  /// The model no longer requests a full-text index.
  case removeTextIndex(class: String, Property)
  /// The model requests an index of several properties.
  case addCompoundIndex(class: String, [String])
  /// The model no longer requests an index of several properties.
  case removeCompoundIndex(class: String, [String])
  /// The class has got a primary key.
  case addPrimaryKey(class: String, property: String)
  /// The class has lost its primary key.
  case removePrimaryKey(class: String, property: String)
  /// Another property is the primary key.
  case changePrimaryKey(class: String, from: String, to: String)
  /// The class has become an embedded one, or is no longer embedded.
  case changeKind(class: String, toEmbedded: Bool)
}

extension SchemaChange {
  /// Whether the change may only be made with a higher schema version.
  ///
  /// New classes and indexes cannot lose or invent a value, so they are free.
  package var needsMigration: Bool {
    switch self {
    case .addClass, .addIndex, .removeIndex, .addTextIndex, .removeTextIndex, .addCompoundIndex,
      .removeCompoundIndex:
      false
    default: true
    }
  }

  /// Whether the program can't read a file with this difference as it is.
  ///
  /// Additional items in the file are allowed, missing tables count as empty, and neither an index
  /// nor the kind of the class matters for reading. Without a full-text index there is no full-text
  /// search.
  package var isRefusedInReadOnlyMode: Bool {
    switch self {
    case .addProperty, .changeType, .makeOptional, .makeRequired, .addTextIndex,
      .addPrimaryKey, .removePrimaryKey, .changePrimaryKey:
      true
    case .addClass, .removeProperty, .addIndex, .removeIndex, .removeTextIndex, .addCompoundIndex,
      .removeCompoundIndex, .changeKind:
      false
    }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// RealmSwift's sentence for the change.
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
