package import StrataSchema

/// A schema for queries: classes and properties by name, with their names in SQL.
package final class QuerySchema: Sendable {
  private let classes: [String: QueryClass]

  package init(_ schema: Schema) {
    classes = Dictionary(
      schema.objectSchema.map { ($0.className, QueryClass($0)) }, uniquingKeysWith: { $1 })
  }

  package subscript(className: String) -> QueryClass? { classes[className] }
}

/// A class and its table.
package final class QueryClass: Sendable {
  package let name: String
  /// The quoted table.
  package let table: String
  /// The column that identifies a row, quoted.
  package let identity: String
  let isEmbedded: Bool
  /// The names of all properties in Swift, in the order of declaration.
  package let propertyNames: [String]
  private let properties: [String: QueryProperty]
  /// The columns of the indexes that answer conditions, quoted.
  let indexes: [[String]]
  /// SQL for the number of bytes of a row's values, for the table `t`.
  let widthSQL: String

  init(_ schema: ObjectSchema) {
    name = schema.className
    table = SQLName.quote(schema.className)
    identity = SQLName.quote(schema.identityColumn)
    isEmbedded = schema.isEmbedded
    let first = Set(schema.compoundIndexes.compactMap(\.first))
    let all = schema.allProperties.map {
      QueryProperty($0, of: schema.className, isFirstInIndex: first.contains($0.name))
    }
    propertyNames = all.map(\.property.name)
    let stored = schema.stored
    let single = all.filter { $0.isSearchable && $0.property.isSearchedAlone }.map { [$0.column] }
    indexes = single + stored.compoundIndexes.map { $0.map(SQLName.quote) }
    widthSQL = (["12"] + stored.properties.flatMap(\.widths)).joined(separator: " + ")
    // The Swift name first, otherwise the name of the column.
    let columns = all.map { ($0.property.columnName, $0) }
    let names = all.map { ($0.property.name, $0) }
    properties = Dictionary(columns + names, uniquingKeysWith: { $1 })
  }

  /// Returns the property with this Swift name, or else with this column.
  package subscript(name: String) -> QueryProperty? { properties[name] }
}

/// A property, and the location of its values in the file.
package final class QueryProperty: Sendable {
  package let property: Property
  package let className: String
  /// The column of the class's table, quoted.
  package let column: String
  /// The column with the type of an `AnyRealmValue`, quoted.
  package let typeColumn: String?
  /// The table of a collection, quoted.
  package let table: String

  /// The full-text index, quoted; nil if there isn't one.
  package let textTable: String?
  /// Whether an index has the order of the values, so that SQLite can search some of them.
  let isSearchable: Bool

  init(_ property: Property, of className: String, isFirstInIndex: Bool = false) {
    self.property = property
    self.className = className
    column = SQLName.quote(property.columnName)
    typeColumn = property.typeColumnName.map(SQLName.quote)
    textTable =
      property.wantsTextIndex
      ? SQLName.quote(TextTable.name(className: className, column: property.columnName)) : nil
    isSearchable = property.isStoredInColumn && (property.isSearchedAlone || isFirstInIndex)
    table = SQLName.quote(CollectionTable.name(className: className, property: property))
  }

  package var type: PropertyType { property.type }

  /// Whether the property has elements: a collection, or linking objects.
  package var isCollection: Bool { property.collection != nil || property.isComputed }

  /// Whether the value is one object.
  package var isLink: Bool { type == .object && property.collection == nil }
}

extension Property {
  /// Whether the property has an index of its own.
  fileprivate var isSearchedAlone: Bool { isIndexed || type == .object }

  /// SQL for the number of bytes of the columns, for the table `t`.
  fileprivate var widths: [String] {
    columns.map { column in
      switch column.type {
      case .integer: "4"
      case .real: "8"
      case .text, .blob, .any: "ifnull(length(t.\(SQLName.quote(column.name))), 0)"
      }
    }
  }
}

extension QueryProperty: Hashable {
  package static func == (first: QueryProperty, second: QueryProperty) -> Bool {
    first === second
      || (first.className == second.className && first.property == second.property)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(property)
  }
}
