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
    var elements: [(property: Property, element: _StoredElement)] = []
    var later: [(property: Property, value: Any)] = []
    for property in table.properties {
      guard let value = unwrapped(values[property.name] ?? nil) else {
        elements.append(
          (property, _StoredElement(property.isNullable ? .null : .zero(for: property.type))))
        continue
      }
      if property.type == .object || property.type == .any {
        elements.append((property, .null))
        later.append((property, value))
      } else {
        elements.append((property, try element(of: value, property)))
      }
    }
    let row = try context.insertRow(into: table, elements)
    if let original = value as? DynamicObject { context.frozenCopies[original] = row }
    var links: [(property: Property, element: _StoredElement)] = []
    for (property, value) in later { links.append((property, try element(of: value, property))) }
    try context.updateRow(row, of: table, links)
    for (name, info) in table.collections {
      guard let value = values[name] else { continue }
      let rows = MigrationCollection(info, of: DynamicObject(table, row: row))
      try context.assign(value, to: rows, copying: copying)
    }
    return row
  }

  private func element(
    of value: Any, _ property: Property
  ) throws(RealmError) -> _StoredElement {
    try context.element(of: value, for: property, of: table.className, copying: copying)
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
}
