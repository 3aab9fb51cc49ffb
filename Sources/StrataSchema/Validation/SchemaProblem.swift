/// A rule that a schema breaks, with a `description` for the developer.
///
/// If Realm has the rule, the sentence is Realm's. The other rules prevent names that SQLite, which
/// ignores ASCII case in names, could not distinguish.
package enum SchemaProblem: Error, Hashable, Sendable {
  // MARK: Classes

  /// Two classes have the same name.
  case duplicateClass(String)
  case classesDifferOnlyInCase(String, String)
  case classDiffersFromFileOnlyInCase(String, inFile: String)
  /// A class has no name, or a name that a table cannot have.
  case invalidClassName(String)
  /// SQLite, GRDB or this library uses the name for itself.
  case reservedClassName(String)
  /// A collection's table would have a reserved name.
  case reservedCollectionTable(String, table: String)
  /// The column name of a collection has a dot, which the name of a table cannot have.
  case dotInCollection(class: String, column: String)
  case noProperties(class: String)
  /// A class has more columns than a table can have.
  case tooManyColumns(class: String, count: Int)

  // MARK: Names of properties

  case duplicateProperty(class: String, property: String)
  case duplicateColumn(class: String, first: String, second: String, column: String)
  case columnsDifferOnlyInCase(class: String, String, String)
  /// A property has no name or column name, or a name with a NUL character.
  case invalidPropertyName(class: String, property: String)
  /// A column has the name of a helper of another column.
  case columnCollidesWithHelper(class: String, column: String, of: String)
  /// A class has both columns that could be the name of the identity.
  case noNameForIdentity(class: String)

  // MARK: Primary keys and indexes

  case primaryKeyDoesNotExist(class: String, property: String)
  case invalidPrimaryKeyType(class: String, property: String, type: String)
  case embeddedPrimaryKey(class: String)
  case invalidIndexType(class: String, property: String, type: String)

  case compoundIndexPropertyDoesNotExist(class: String, property: String)
  case invalidCompoundIndexType(class: String, property: String, type: String)
  /// A compound index names no property, or a single one.
  case shortCompoundIndex(class: String, [String])
  case repeatedInCompoundIndex(class: String, [String], property: String)
  case duplicateCompoundIndex(class: String, [String])
  /// A compound index would have the name of another index.
  case compoundIndexNameIsTaken(class: String, [String], by: String)

  case invalidTextIndexType(class: String, property: String, type: String)
  /// SQLite uses the column's name for another purpose in a full-text index.
  case reservedTextColumn(class: String, column: String)

  // MARK: Links

  case unknownLinkTarget(class: String, property: String, type: String, target: String)
  /// A link to one object is not optional.
  case requiredLink(class: String, property: String)
  case optionalObjects(class: String, property: String, type: String)
  /// The origin of linking objects is not a property of the named class.
  case linkOriginDoesNotExist(
    origin: String, originProperty: String, class: String, property: String)
  case linkOriginIsNotALink(origin: String, originProperty: String, class: String, property: String)
  /// The origin of linking objects links to another class.
  case linkOriginLinksElsewhere(
    origin: String, originProperty: String, class: String, property: String, target: String)
  case embeddedInSet(class: String, property: String, target: String)
  /// A chain of links through embedded classes returns to its beginning.
  case embeddedCycle(path: String)
}

extension SchemaProblem: CustomStringConvertible {
  /// The sentence, and the repair if the sentence doesn't contain it.
  package var description: String { repair.map { "\(sentence) \($0)" } ?? sentence }

  /// The change that repairs the program; nil if the sentence contains it.
  private var repair: String? {
    switch self {
    case .classesDifferOnlyInCase:
      "Rename one of them, or give it another name in the file with '_realmObjectName()'."
    case .classDiffersFromFileOnlyInCase(_, let stored):
      "Keep that name in the file: override '_realmObjectName()' to return '\(stored)'."
    case .columnsDifferOnlyInCase, .noNameForIdentity, .columnCollidesWithHelper:
      "Give one of the properties another column in 'propertiesMapping()'."
    default: nil
    }
  }

  /// The sentence for the developer, in Realm's words if there are any.
  package var sentence: String {
    switch self {
    case .duplicateClass(let name):
      "Type '\(name)' appears more than once in the schema."
    case .classesDifferOnlyInCase(let first, let second):
      "Types '\(first)' and '\(second)' differ only in case and would share one table."
    case .classDiffersFromFileOnlyInCase(let name, let stored):
      "Type '\(name)' differs only in case from '\(stored)', which is in the file already."
    case .invalidClassName(let name):
      "Type name '\(Self.printable(name))' cannot be the name of a table: "
        + "it is empty, or contains a dot or a NUL character."
    case .reservedClassName(let name):
      "Type name '\(name)' is reserved."
    case .reservedCollectionTable(let owner, let table):
      "The \(owner) needs the table '\(table)', whose name is reserved."
    case .dotInCollection(let name, let column):
      "Collection '\(name).\(column)' cannot have a table: its column name contains a dot."
    case .noProperties(let name):
      "No properties are defined for '\(name)'. "
        + "Did you remember to mark them with '@Persisted' in your model?"
    case .tooManyColumns(let name, let count):
      "Type '\(name)' needs \(count) columns, but a table can have at most "
        + "\(SchemaValidator.maximumColumnCount)."

    case .duplicateProperty(let name, let property):
      "Property '\(property)' appears more than once in the schema for type '\(name)'."
    case .duplicateColumn(let name, let first, let second, let column):
      "Properties '\(first)' and '\(second)' of type '\(name)' both have the column '\(column)'."
    case .columnsDifferOnlyInCase(let name, let first, let second):
      "Columns '\(first)' and '\(second)' of type '\(name)' differ only in case."
    case .invalidPropertyName(let name, let property):
      "Property '\(name).\(Self.printable(property))' has a name or column name that is empty "
        + "or contains a NUL character."
    case .columnCollidesWithHelper(let name, let column, let property):
      "Column '\(name).\(column)' has the name of a column that '\(name).\(property)' needs."
    case .noNameForIdentity(let name):
      "Type '\(name)' has columns '_id' and '_row_id', which leaves no name for the row's identity."

    case .primaryKeyDoesNotExist(let name, let property):
      "Specified primary key '\(name).\(property)' does not exist."
    case .invalidPrimaryKeyType(let name, let property, let type):
      "Property '\(name).\(property)' of type '\(type)' cannot be made the primary key."
    case .embeddedPrimaryKey(let name):
      "Embedded object type '\(name)' cannot have a primary key."
    case .invalidIndexType(let name, let property, let type):
      "Property '\(name).\(property)' of type '\(type)' cannot be indexed."

    case .compoundIndexPropertyDoesNotExist(let name, let property):
      "Property '\(name).\(Self.printable(property))', named by 'compoundIndexes()', does not exist."
    case .invalidCompoundIndexType(let name, let property, let type):
      "Property '\(name).\(property)' of type '\(type)' cannot be a part of a compound index."
    case .shortCompoundIndex(let name, let properties):
      "Compound index '\(Self.list(properties))' of type '\(name)' needs at least two properties. For "
        + "a single one write '@Persisted(indexed: true)'."
    case .repeatedInCompoundIndex(let name, let properties, let property):
      "Compound index '\(Self.list(properties))' of type '\(name)' names property '\(property)' more "
        + "than once."
    case .duplicateCompoundIndex(let name, let properties):
      "Compound index '\(Self.list(properties))' appears more than once in the schema for type "
        + "'\(name)'."
    case .compoundIndexNameIsTaken(let name, let properties, let property):
      "Compound index '\(Self.list(properties))' of type '\(name)' would have a name that '\(property)' "
        + "needs for an index. Give the property another column in 'propertiesMapping()'."

    case .invalidTextIndexType(let name, let property, let type):
      "Property '\(name).\(property)' of type '\(type)' cannot have a full-text index. Only a 'String' "
        + "or 'String?' can."
    case .reservedTextColumn(let name, let column):
      "Column '\(name).\(column)' cannot have a full-text index: SQLite keeps the names 'rank' and "
        + "'rowid' for itself. Give the property another column in 'propertiesMapping()'."

    case .unknownLinkTarget(let name, let property, let type, let target):
      "Property '\(name).\(property)' of type '\(type)' has unknown object type '\(target)'"
    case .optionalObjects(let name, let property, let type):
      "Property '\(name).\(property)' of type '\(type)' cannot be nullable: a deleted object is "
        + "removed from the collection."
    case .requiredLink(let name, let property):
      "Property '\(name).\(property)' of type 'object' must be nullable."
    case .linkOriginDoesNotExist(let origin, let originProperty, let name, let property):
      Self.origin(origin, originProperty, name, property) + " does not exist"
    case .linkOriginIsNotALink(let origin, let originProperty, let name, let property):
      Self.origin(origin, originProperty, name, property) + " is not a link"
    case .linkOriginLinksElsewhere(let origin, let originProperty, let name, let property, let to):
      Self.origin(origin, originProperty, name, property) + " links to type '\(to)'"
    case .embeddedInSet(let name, let property, let target):
      "Set property '\(name).\(property)' cannot contain embedded object type '\(target)'. "
        + "Set semantics are not applicable to embedded objects."
    case .embeddedCycle(let path):
      "Cycles containing embedded objects are not currently supported: '\(path)'"
    }
  }

  private static func origin(
    _ origin: String, _ originProperty: String, _ name: String, _ property: String
  ) -> String {
    "Property '\(origin).\(originProperty)' declared as origin of linking objects property "
      + "'\(name).\(property)'"
  }

  private static func list(_ properties: [String]) -> String {
    properties.joined(separator: ", ")
  }

  /// A NUL character would end the message when it is read as a C string.
  private static func printable(_ name: String) -> String {
    name.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
  }
}
