/// A rule that a schema breaks; `description` is the sentence for the developer.
///
/// Where Realm has a rule the sentence is Realm's. The others keep names apart that SQLite, which
/// compares names without regard to ASCII case, could not tell from each other.
package enum SchemaProblem: Error, Hashable, Sendable {
  // MARK: Classes

  /// Two classes have the same name.
  case duplicateClass(String)
  /// The names of two classes differ only in case.
  case classesDifferOnlyInCase(String, String)
  /// A class of the model and another one in the file differ only in case.
  case classDiffersFromFileOnlyInCase(String, inFile: String)
  /// A class has no name, or one that a table cannot have.
  case invalidClassName(String)
  /// The name is one that SQLite, GRDB or this library uses for itself.
  case reservedClassName(String)
  /// A collection's table would have a reserved name.
  case reservedCollectionTable(String, table: String)
  /// The column name of a collection has a dot, which the name of a table cannot have.
  case dotInCollection(class: String, column: String)
  /// A class has no properties.
  case noProperties(class: String)
  /// A class has more columns than a table can have.
  case tooManyColumns(class: String, count: Int)

  // MARK: Names of properties

  /// Two properties of a class have the same name.
  case duplicateProperty(class: String, property: String)
  /// Two properties of a class have the same column.
  case duplicateColumn(class: String, first: String, second: String, column: String)
  /// The columns of two properties differ only in case.
  case columnsDifferOnlyInCase(class: String, String, String)
  /// A property has no name or column name, or one with a NUL character.
  case invalidPropertyName(class: String, property: String)
  /// A column has the name that the library gives to a helper of another one.
  case columnCollidesWithHelper(class: String, column: String, of: String)
  /// A class has both columns that could be the name of the identity.
  case noNameForIdentity(class: String)

  // MARK: Primary keys and indexes

  /// The declared primary key is not a property of the class.
  case primaryKeyDoesNotExist(class: String, property: String)
  /// The type of the property cannot be a primary key.
  case invalidPrimaryKeyType(class: String, property: String, type: String)
  /// An embedded class has a primary key.
  case embeddedPrimaryKey(class: String)
  /// The type of the property cannot be indexed.
  case invalidIndexType(class: String, property: String, type: String)

  /// A compound index names something that is not a property of the class.
  case compoundIndexPropertyDoesNotExist(class: String, property: String)
  /// The type of the property cannot be a part of a compound index.
  case invalidCompoundIndexType(class: String, property: String, type: String)
  /// A compound index names no property, or a single one.
  case shortCompoundIndex(class: String, [String])
  /// A compound index names a property twice.
  case repeatedInCompoundIndex(class: String, [String], property: String)
  /// A class has the same compound index twice.
  case duplicateCompoundIndex(class: String, [String])
  /// A compound index would have the name of another index.
  case compoundIndexNameIsTaken(class: String, [String], by: String)

  /// The type of the property cannot have a full-text index.
  case invalidTextIndexType(class: String, property: String, type: String)
  /// SQLite has another use for the column's name in a full-text index.
  case reservedTextColumn(class: String, column: String)

  // MARK: Links

  /// The class that a property refers to is not in the schema.
  case unknownLinkTarget(class: String, property: String, type: String, target: String)
  /// A link to one object is not optional.
  case requiredLink(class: String, property: String)
  /// The objects of a list or a set are optional.
  case optionalObjects(class: String, property: String, type: String)
  /// The origin of linking objects is not a property of the class it names.
  case linkOriginDoesNotExist(
    origin: String, originProperty: String, class: String, property: String)
  /// The origin of linking objects holds no links.
  case linkOriginIsNotALink(origin: String, originProperty: String, class: String, property: String)
  /// The origin of linking objects links to another class.
  case linkOriginLinksElsewhere(
    origin: String, originProperty: String, class: String, property: String, target: String)
  /// A set holds embedded objects.
  case embeddedInSet(class: String, property: String, target: String)
  /// A chain of links through embedded classes returns to its beginning.
  case embeddedCycle(path: String)
}
