/// A collection of a class in an open file, with the table that holds its elements.
struct CollectionInfo: Sendable {
  let className: String
  let property: Property
  let kind: CollectionKind
  /// The position among the collections of the store.
  let index: Int
  let tableName: String
  /// The table's name, quoted.
  let name: String
  /// The columns of an element, quoted: one, or two for `AnyRealmValue`.
  let columns: [String]
  /// The column that orders the elements, quoted.
  let order: String
  /// The statement that adds an element. Parameters: the owner, the position or the key, the
  /// columns.
  let insertion: String
  /// The statement that adds ``manyRows`` elements to a list.
  let insertionOfMany: String

  static let manyRows = 32

  init(className: String, _ property: Property, index: Int = 0) {
    self.className = className
    self.property = property
    self.index = index
    kind = property.collection ?? .list
    tableName = CollectionTable.name(className: className, property: property)
    name = SQLName.quote(tableName)
    columns = property.type == .any ? ["\"value\"", "\"value_type\""] : ["\"value\""]
    order =
      switch kind {
      case .list: "\"position\""
      case .set: "\"value\""
      case .map: "\"key\""
      }
    insertion = Self.insertion(into: name, kind, columns)
    insertionOfMany = Self.insertion(into: name, kind, columns, rows: Self.manyRows)
  }

  private static func insertion(
    into name: String, _ kind: CollectionKind, _ elements: [String], rows: Int = 1
  ) -> String {
    let columns: [String]
    let conflict: String
    switch kind {
    case .list:
      columns = ["owner", "position"] + elements
      conflict = ""
    case .set:
      columns = ["owner"] + elements
      conflict = " ON CONFLICT DO NOTHING"
    case .map:
      let assignments = elements.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      columns = ["owner", "key"] + elements
      conflict = " ON CONFLICT (owner, key) DO UPDATE SET \(assignments)"
    }
    let values = InsertSQL.parameters(columns: columns.count, rows: rows)
    return """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(values)\(conflict)
      """
  }
}
