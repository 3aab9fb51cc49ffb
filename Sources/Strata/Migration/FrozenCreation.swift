import GRDB

/// Makes objects of a class that only a schema describes: one of a frozen version.
///
/// An object gets its row before those that it leads to are looked at, so cycles end. Properties
/// without a value are nil, or their type's zero: a schema knows no defaults of Swift.
struct FrozenCreation {
  let context: MigrationContext
  let table: MigrationTable
  let copying: Bool

  /// - Throws: ``RealmError`` with code `fail` for a value that doesn't fit.
  func create(_ value: Any) throws(RealmError) -> Int64 {
    if let original = value as? DynamicObject, let row = context.frozenCopies[original] {
      return row
    }
    let values = try values(from: value)
    var elements: [_StoredElement] = []
    var later: [Property] = []
    for property in table.properties {
      guard let value = unwrapped(values[property.name] ?? nil) else {
        elements.append(_StoredElement(property.isNullable ? .null : .zero(for: property.type)))
        continue
      }
      if property.type == .object || property.type == .any {
        elements.append(.null)
        later.append(property)
      } else {
        elements.append(
          try context.element(of: value, for: property, of: table.className, copying: copying))
      }
    }
    let row = try insert(elements)
    if let original = value as? DynamicObject { context.frozenCopies[original] = row }
    for property in later {
      let element = try context.element(
        of: unwrapped(values[property.name] ?? nil), for: property, of: table.className,
        copying: copying)
      try update(row, property, element)
    }
    for (name, info) in table.collections {
      guard let value = values[name] else { continue }
      let rows = MigrationCollection(info, of: DynamicObject(table, row: row))
      try context.assign(value, to: rows, copying: copying)
    }
    return row
  }

  /// The values of properties by name.
  private func values(from value: Any) throws(RealmError) -> [String: Any?] {
    let names = table.schema.properties.map(\.name)
    switch unwrapped(value) {
    case let dictionary as [String: Any?]:
      if let unknown = dictionary.keys.sorted().first(where: { !names.contains($0) }) {
        throw RealmError(
          .fail, ErrorText.invalidPropertyName(unknown, table.className, known: names))
      }
      return dictionary
    case let array as [Any?]:
      guard array.count <= names.count else {
        throw RealmError(
          .fail,
          "Invalid array input: more values (\(array.count)) than properties (\(names.count)).")
      }
      return Dictionary(zip(names, array)) { first, _ in first }
    case let source as any PropertySource:
      var values: [String: Any?] = [:]
      for name in names {
        guard source.hasProperty(name) else {
          throw RealmError(.fail, ErrorText.invalidPropertyName(name, source.sourceClassName))
        }
        values[name] = source.propertyValue(name)
      }
      return values
    default:
      throw RealmError(
        .fail,
        "An object of '\(table.className)' of a frozen version can't be made of a value of type "
          + "'\(Swift.type(of: value))': give a dictionary or an array.")
    }
  }

  private func insert(_ elements: [_StoredElement]) throws(RealmError) -> Int64 {
    let leftovers = context.leftovers(of: table.schema)
    let properties = table.properties + leftovers
    let columns = properties.flatMap(\.columns).map { SQLName.quote($0.name) }
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    do {
      if table.schema.primaryKey != nil { try context.suspendPrimaryKey(of: table.className) }
      let db = table.db
      let sql =
        columns.isEmpty
        ? "INSERT INTO \(table.name) DEFAULT VALUES"
        : "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
      let statement = try db.cachedStatement(sql: sql)
      var index: Int32 = 1
      for (property, value) in zip(
        properties, elements + leftovers.map { _StoredElement(.zero(for: $0.type)) })
      {
        statement.bind(value, property.columns.count, at: &index)
      }
      _ = try statement.stepRaw()
      context.stepRunner.accounts.noteCreated(table.className)
      return db.lastInsertedRowID
    } catch {
      throw context.naming(error)
    }
  }

  private func update(
    _ row: Int64, _ property: Property, _ element: _StoredElement
  ) throws(RealmError) {
    let columns = property.columns.map { "\(SQLName.quote($0.name)) = ?" }
    do {
      let statement = try table.db.cachedStatement(
        sql: """
          UPDATE \(table.name) SET \(columns.joined(separator: ", ")) WHERE \(table.identity) = ?
          """)
      var index: Int32 = 1
      statement.bind(element, columns.count, at: &index)
      statement.bindRaw(row, at: index)
      _ = try statement.stepRaw()
    } catch {
      throw context.naming(error)
    }
  }
}
