import GRDB
import GRDBSQLite
import StrataSchema

/// A check for values of a class that don't match the type of their property.
struct ValueCheck {
  private let db: Database
  private let schema: ObjectSchema
  private let isReadable: FileCheck.ValueReading

  init(_ db: Database, _ schema: ObjectSchema, isReadable: @escaping FileCheck.ValueReading) {
    self.db = db
    self.schema = schema.stored
    self.isReadable = isReadable
  }

  /// Checks the table of the class, then the tables of its collections.
  func problems() throws -> [FileProblem] {
    let stored = schema.properties.filter(\.isStoredInColumn)
    let columns = stored.flatMap { $0.columns.map(\.name) }
    var found = try problems(
      in: schema.className, identity: schema.identityColumn, columns, stored)
    for table in schema.collectionTables {
      var element = table.property
      element.allowsNil = table.isNullable
      let columns = [CollectionTable.value] + (table.typeColumnName.map { [$0] } ?? [])
      found += try problems(in: table.name, identity: CollectionTable.owner, columns, [element])
    }
    return found
  }

  private func problems(
    in table: String, identity: String, _ columns: [String], _ properties: [Property]
  ) throws -> [FileProblem] {
    let names = ([identity] + columns).map(SQLName.quote).joined(separator: ", ")
    // In rowid order, because an index may be damaged.
    let statement = try db.makeStatement(
      sql: "SELECT \(names) FROM \(SQLName.quote(table)) NOT INDEXED")
    var found: [FileProblem] = []
    var counts = [Int](repeating: 0, count: properties.count)
    while try statement.stepRaw() {
      var column: Int32 = 1
      for (index, property) in properties.enumerated() {
        defer { column += property.type == .any ? 2 : 1 }
        guard let kind = problem(statement.sqliteStatement, column, property) else { continue }
        counts[index] += 1
        guard counts[index] <= FileCheck.listed else { continue }
        found.append(self.problem(kind, property, statement.int64(0)))
      }
    }
    for (property, count) in zip(properties, counts) where count > FileCheck.listed {
      found.append(rest(property, count - FileCheck.listed))
    }
    return found
  }

  // MARK: One value

  private func problem(
    _ statement: OpaquePointer, _ column: Int32, _ property: Property
  ) -> FileProblem.Kind? {
    if sqlite3_column_type(statement, column) == SQLITE_NULL, property.type != .any {
      let isNullable = property.isNullable
      return isNullable ? nil : .missingValue
    }
    if !isText(statement, column) { return .value }
    switch property.type {
    case .object: return sqlite3_column_type(statement, column) == SQLITE_INTEGER ? nil : .value
    case .any:
      let element = _StoredElement(RowValues(of: statement), column)
      if element.linkedClassName != nil, case .integer = element.value { return nil }
      if element.isNested { return isSound(element, of: property) ? nil : .value }
      return isReadable(property, element) ? nil : .value
    case .bool:
      let value = StoredValue(statement, column: column)
      return value == .integer(0) || value == .integer(1) ? nil : .value
    default:
      let value = StoredValue(statement, column: column)
      return isReadable(property, _StoredElement(value)) ? nil : .value
    }
  }

  /// Whether a list or a dictionary, and all values in it, can be read.
  private func isSound(_ element: _StoredElement, of property: Property) -> Bool {
    guard let nested = NestedValue(element.value, typeName: element.type) else { return false }
    var isSound = true
    nested.forEach { value in
      guard case .value(let stored, let type) = value else { return }
      if !isReadable(property, _StoredElement(stored, type: type.rawValue)) { isSound = false }
    }
    return isSound
  }

  /// Whether a text is valid UTF-8: SQLite stores any bytes.
  private func isText(_ statement: OpaquePointer, _ column: Int32) -> Bool {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return true }
    return withTextColumn(statement, column) { String(validating: $0, as: UTF8.self) } != nil
  }

  private func problem(
    _ kind: FileProblem.Kind, _ property: Property, _ row: Int64
  ) -> FileProblem {
    let identity = schema.identityColumn
    let place = "'\(schema.className).\(property.columnName)' of the row with \(identity) \(row)"
    return FileProblem(
      kind, className: schema.className, property: property.columnName, row: row,
      kind == .missingValue
        ? "\(place) has no value, and must have one."
        : "\(place) holds no value of type '\(property.elementName)'.",
      repair: "Give it a value; until then it reads as nil, or as the type's zero.")
  }

  private func rest(_ property: Property, _ count: Int) -> FileProblem {
    FileProblem(
      .value, className: schema.className, property: property.columnName, rowCount: count,
      "'\(schema.className).\(property.columnName)' of \(count) more "
        + "\(count == 1 ? "row" : "rows") holds no value of its type.",
      repair: "Give them values.")
  }
}

extension Property {
  /// The type of the value, or of an element.
  fileprivate var elementName: String {
    type == .object ? "<\(objectClassName ?? "")>" : type.rawValue
  }
}
