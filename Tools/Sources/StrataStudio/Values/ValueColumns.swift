import Foundation
import Strata
package import StrataSchema
import StrataStorage

/// The SQL columns that read the value of a property, and their conversion to a cell.
///
/// ```swift
/// let columns = ValueColumns(property, of: "t", className: "Person", longestText: 200)
/// // SELECT \(columns.sql.joined(separator: ", ")) FROM "Person" AS t
/// let cell = columns.cell(row, at: 0)
/// ```
/// Long texts and data are cut, and collections are counted, so that the size of a page is bounded.
struct ValueColumns: Sendable {
  let property: Property
  /// The SQL expressions, one for each column.
  let sql: [String]
  private let longestText: Int
  /// Whether there may be no object with the property.
  private var allowsNil = false

  /// The number of bytes of data to show, which are enough to recognise an image.
  private static let startOfData = 16

  /// - Parameters:
  ///   - alias: The alias of the class's table.
  ///   - identity: The SQL expression of the object's identity.
  ///   - longestText: The maximum length in characters; longer texts are cut.
  ///   - allowsNil: Whether the object is the target of a link, which may be nil.
  init(
    _ property: Property, of className: String, _ alias: String, identity: String,
    longestText: Int, allowsNil: Bool = false
  ) {
    self.property = property
    self.allowsNil = allowsNil
    self.longestText = longestText
    let column = "\(alias).\(SQLName.quote(property.columnName))"
    if let table = CollectionTable(className: className, property: property) {
      sql = [
        "(SELECT count(*) FROM \(SQLName.quote(table.name)) AS c WHERE c.owner = \(identity))"
      ]
    } else {
      sql = Self.sql(
        column, typeColumn: property.typeColumnName.map { "\(alias).\(SQLName.quote($0))" },
        property.type)
    }
  }

  /// The columns for the elements of a collection, in a statement on its table.
  init(elementsOf table: CollectionTable, _ alias: String, longestText: Int) {
    var element = table.property
    element.collection = nil
    self.init(valuesOf: element, alias, longestText: longestText)
  }

  /// The columns for values in a table with the columns `value` and, for an `AnyRealmValue`,
  /// `value_type`.
  init(valuesOf property: Property, _ alias: String, longestText: Int) {
    self.property = property
    self.longestText = longestText
    let type = property.type == .any ? "\(alias).\(CollectionTable.valueType)" : nil
    sql = Self.sql("\(alias).value", typeColumn: type, property.type)
  }

  private static func sql(
    _ column: String, typeColumn: String?, _ type: PropertyType
  ) -> [String] {
    // `substr` returns NULL for an empty BLOB.
    let start = "ifnull(substr(\(column), 1, \(startOfData)), \(column))"
    return switch type {
    case .data: [start, "length(\(column))"]
    case .any:
      [
        "CASE typeof(\(column)) WHEN 'blob' THEN \(start) ELSE \(column) END",
        typeColumn ?? "NULL", "CASE typeof(\(column)) WHEN 'blob' THEN length(\(column)) END",
      ]
    default: [column]
    }
  }

  /// Converts the columns from an index on to a cell.
  func cell(_ row: SQLRow, at index: Int) -> ValueCell {
    if property.collection != nil {
      return .value(["count": .optional(row.integer(index)) { .int($0) }])
    }
    if property.type == .any { return anyCell(row, at: index) }
    if let json = json(row, at: index, property.type, lengthAt: index + 1) { return .value(json) }
    let value = row[index]
    if value == .null, property.isNullable || allowsNil { return .value(.null) }
    if property.type == .object, case .integer(let identity) = value {
      return .link(
        ObjectLink(className: property.objectClassName ?? "", identity: identity), isValue: false)
    }
    return .invalid(value, property)
  }

  private func anyCell(_ row: SQLRow, at index: Int) -> ValueCell {
    guard let name = row.text(index + 1) else {
      let value = row[index]
      return value == .null && row[index + 1] == .null
        ? .value(.null) : .invalid(value, property)
    }
    if let className = _StoredElement(.null, type: name).linkedClassName,
      let identity = row.integer(index)
    {
      return .link(ObjectLink(className: className, identity: identity), isValue: true)
    }
    let isNested = NestedKind(rawValue: name) != nil
    guard let type = isNested ? .string : PropertyType(rawValue: name),
      let json = json(row, at: index, type, lengthAt: index + 2)
    else { return .invalid(row[index], property) }
    return .value(["type": .text(name), "value": json])
  }

  /// The JSON of a value other than nil; nil if the value has another type.
  private func json(
    _ row: SQLRow, at index: Int, _ type: PropertyType, lengthAt lengthIndex: Int
  ) -> JSONValue? {
    if type == .string {
      return row.text(index, atMost: longestText).map { start, length in
        length > longestText ? ["text": .text(start), "length": .int(length)] : .text(start)
      }
    }
    let value = row[index]
    guard type.holds(value) else { return nil }
    return switch value {
    case .null: nil
    case .integer(let number): type == .bool ? .bool(number == 1) : .int(number)
    case .real(let number): .number(number)
    case .text(let text): .text(text)
    case .blob(let start): Self.json(start, length: Int(row.integer(lengthIndex) ?? 0))
    }
  }

  static func json(_ start: some Sequence<UInt8>, length: Int) -> JSONValue {
    ["bytes": .int(length), "start": .text(hexDigits(of: start))]
  }
}

/// The contents of a cell, before the labels of links are read.
enum ValueCell {
  case value(JSONValue)
  /// A link; `isValue` means that it is in an `AnyRealmValue`.
  case link(ObjectLink, isValue: Bool)

  /// The cell of a value that doesn't fit its property.
  static func invalid(_ value: StoredValue, _ property: Property) -> ValueCell {
    let shown: JSONValue =
      switch value {
      case .null: .null
      case .integer(let number): .int(number)
      case .real(let number): .number(number)
      case .text(let text): .text(String(text.prefix(200)))
      case .blob(let bytes): ValueColumns.json(bytes.prefix(16), length: bytes.count)
      }
    return .value([
      "invalid": shown,
      "problem": .text(
        "This is no value of type '\(property.typeName)'\(value == .null ? ", which can't be nil" : ""). "
          + "Another program wrote it: set it to another value."),
    ])
  }

  var link: ObjectLink? { if case .link(let link, _) = self { link } else { nil } }

  func json(_ labels: Labels) -> JSONValue {
    switch self {
    case .value(let value): value
    case .link(let link, let isValue): Self.json(link, label: labels[link], isValue: isValue)
    }
  }

  private static func json(_ link: ObjectLink, label: String?, isValue: Bool) -> JSONValue {
    guard let label else {
      return [
        "invalid": .int(link.identity),
        "problem": .text(
          "There is no object \(link.identity) of '\(PlainText.of(link.className))'. Set the link to "
            + "another object, or to nil."),
      ]
    }
    guard isValue else { return ["id": .int(link.identity), "label": .text(label)] }
    return [
      "type": "object",
      "value": [
        "class": .text(link.className), "id": .int(link.identity), "label": .text(label),
      ],
    ]
  }
}

extension PropertyType {
  /// Whether a value other than nil can be read as one of this type. Links are never.
  package func holds(_ value: StoredValue) -> Bool {
    switch (self, value) {
    case (.int, .integer), (.float, .real), (.double, .real), (.string, .text), (.data, .blob): true
    case (.bool, .integer(let number)): 0...1 ~= number
    case (.date, .text): Date(_stored: value) != nil
    case (.UUID, .text): Foundation.UUID(_stored: value) != nil
    case (.objectId, .text): ObjectId(_stored: value) != nil
    case (.decimal128, .text): Decimal128(_stored: value) != nil
    default: false
    }
  }
}
