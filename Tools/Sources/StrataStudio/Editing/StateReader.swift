import GRDB
import StrataSchema
import StrataStorage

/// A reader of current values in a file, which are compared with the values that a page expects.
struct StateReader {
  let schema: StudioSchema
  let db: Database

  /// A value in the form of the page, and as stored.
  struct Found {
    var cell: ValueCell
    var stored: _StoredElement

    /// Whether the stored value doesn't fit the property: another program wrote it.
    var isUnreadable: Bool {
      if case .value(let json) = cell { json["invalid"] != nil } else { false }
    }
  }

  /// The value of a property; nil if the object doesn't exist.
  func value(_ place: Place, longestText: Int = Int(Int32.max)) throws -> Found? {
    let table = try schema.objectSchema(place.object.className)
    let identity = "t.\(SQLName.quote(table.identityColumn))"
    let columns = ValueColumns(
      place.property, of: table.className, "t", identity: identity, longestText: longestText)
    let raw = "t.\(SQLName.quote(place.property.columnName))"
    let type = place.property.typeColumnName.map { "t.\(SQLName.quote($0))" } ?? "NULL"
    return try first(
      columns, raw, type,
      "FROM \(SQLName.quote(table.className)) AS t WHERE \(identity) = ?",
      [.integer(place.object.identity)])
  }

  /// The element of a list; nil if the list is shorter.
  func element(_ place: Place, at position: Int, longestText: Int = Int(Int32.max)) throws -> Found?
  {
    guard let table = place.table else { return nil }
    return try first(
      table, longestText, "WHERE c.owner = ? ORDER BY c.position LIMIT 1 OFFSET ?",
      [.integer(place.object.identity), .integer(Int64(position))])
  }

  /// The entry of a map; nil if the key doesn't exist.
  func element(_ place: Place, key: String, longestText: Int = Int(Int32.max)) throws -> Found? {
    guard let table = place.table else { return nil }
    return try first(
      table, longestText, "WHERE c.owner = ? AND c.key = ?",
      [.integer(place.object.identity), .text(key)])
  }

  /// The expected element of a set; nil if the set doesn't have it.
  ///
  /// - Throws: ``RequestFailure`` with status 422 if the page has only the start of a value, and
  ///   several elements begin with it.
  func element(_ place: Place, _ expected: Expected) throws -> Found? {
    guard let table = place.table else { return nil }
    let columns = ValueColumns(elementsOf: table, "c", longestText: expected.longestText)
    var found: Found?
    try forEach(
      columns, "c.value", table.typeColumnName.map { "c.\($0)" } ?? "NULL",
      "FROM \(SQLName.quote(table.name)) AS c WHERE c.owner = ?", [.integer(place.object.identity)]
    ) { element in
      guard expected.isMet(by: element) else { return }
      guard found == nil else {
        throw RequestFailure.invalid(
          "Several elements of \(place.name) of object \(place.object.identity) begin so. Send all of "
            + "the value.")
      }
      found = element
    }
    return found
  }

  private func first(
    _ table: CollectionTable, _ longestText: Int, _ condition: String, _ parameters: [StoredValue]
  ) throws -> Found? {
    try first(
      ValueColumns(elementsOf: table, "c", longestText: longestText), "c.value",
      table.typeColumnName.map { "c.\($0)" } ?? "NULL",
      "FROM \(SQLName.quote(table.name)) AS c \(condition)", parameters)
  }

  private func first(
    _ columns: ValueColumns, _ raw: String, _ type: String, _ rest: String,
    _ parameters: [StoredValue]
  ) throws -> Found? {
    var found: Found?
    try forEach(columns, raw, type, rest, parameters) { found = $0 }
    return found
  }

  private func forEach(
    _ columns: ValueColumns, _ raw: String, _ type: String, _ rest: String,
    _ parameters: [StoredValue], _ body: (Found) throws -> Void
  ) throws {
    let selection = (columns.sql + [raw, type]).joined(separator: ", ")
    try db.forEachRow("SELECT \(selection) \(rest)", parameters) { row in
      let stored = _StoredElement(row[columns.sql.count], type: row.text(columns.sql.count + 1))
      try body(Found(cell: columns.cell(row, at: 0), stored: stored))
    }
  }

  /// The value in the form of the page.
  func json(_ found: Found?) throws -> JSONValue {
    guard let found else { return .null }
    let labels = try Labels(of: [found.cell.link].compactMap(\.self), schema, db)
    return found.cell.json(labels)
  }

  /// The elements of a collection, in order; with keys in a map.
  ///
  /// - Parameter limit: The maximum number of elements; nil for all.
  func elements(_ place: Place, limit: Int? = nil) throws -> [StoredEntry] {
    guard let table = place.table else { return [] }
    let order = table.slot ?? CollectionTable.value
    var found: [StoredEntry] = []
    try db.forEachRow(
      """
      SELECT \(table.kind == .map ? "key" : "NULL"), value, \(table.typeColumnName ?? "NULL") \
      FROM \(SQLName.quote(table.name)) WHERE owner = ? ORDER BY \(order) LIMIT ?
      """, [.integer(place.object.identity), .integer(limit.map { Int64($0) } ?? -1)]
    ) { row in
      let key = StoredText(row.text(0) ?? "")
      found.append(StoredEntry(key: key, value: _StoredElement(row[1], type: row.text(2))))
    }
    return found
  }

  func count(_ place: Place) throws -> Int {
    guard let table = place.table else { return 0 }
    return try ElementReader(schema, db, table).count(of: place.object.identity)
  }

  func exists(_ link: ObjectLink) throws -> Bool {
    try schema.schema[link.className].map { try db.hasObject(link.identity, in: $0) } ?? false
  }
}

extension Expected {
  /// The number of characters of a text that the page has. Only these are compared.
  var longestText: Int {
    guard case .wire(let sent) = self else { return Int(Int32.max) }
    let text = sent["text"] ?? sent["value"]?["text"]
    return text?.text.map { max(1, $0.unicodeScalars.count) } ?? Int(Int32.max)
  }

  func isMet(by found: StateReader.Found) -> Bool {
    switch self {
    case .anything: return true
    case .absent, .elements: return false
    case .stored(let element): return element == found.stored
    case .wire(let sent):
      if let digits = (sent["hex"] ?? sent["value"]?["hex"])?.text {
        return found.stored.isSame(asBytes: digits, type: sent["type"]?.text)
      }
      switch found.cell {
      case .value(let value): return value.isSame(asSent: sent)
      case .link(let link, let isValue):
        let part = isValue ? sent["value"] ?? sent : sent
        guard (part["id"] ?? part["invalid"])?.integer == link.identity else { return false }
        return !isValue || (part["class"]?.text ?? link.className) == link.className
      }
    }
  }
}
