import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// A reader of complete objects for an export: full texts, and all elements of collections.
///
/// A link is exported as the target's primary key, or its identity if its class has no primary key.
/// An embedded object is exported inside of its parent.
struct ExportReader {
  private let schema: StudioSchema
  private let db: Database
  private let objectSchema: ObjectSchema
  private let properties: [Property]
  private let writesIdentity: Bool
  private let holdsEmbedded: Bool
  /// The recorder of values that don't fit; nil if the caller doesn't need them.
  private let invalid: InvalidValues?

  /// - Parameters:
  ///   - names: The properties; nil for all.
  ///   - holdsEmbedded: Whether embedded objects are read inside of their parents; otherwise only
  ///     their identities are.
  ///   - invalid: Records values that don't fit their properties.
  /// - Throws: ``RequestFailure`` with status 400 or 404 for a name that doesn't exist.
  init(
    _ className: String, _ names: [String]?, _ schema: StudioSchema, _ db: Database,
    holdsEmbedded: Bool = true, noting invalid: InvalidValues? = nil
  ) throws(RequestFailure) {
    self.holdsEmbedded = holdsEmbedded
    self.invalid = invalid
    self.schema = schema
    self.db = db
    objectSchema = try schema.objectSchema(className)
    var properties: [Property] = []
    if let names {
      for name in names {
        let column = try ShownColumn(name, of: className, schema)
        if let link = column.links.first {
          throw .badColumn(
            name, "it is behind a link",
            "Other programs get the link itself: show '\(PlainText.of(link.name))'.")
        }
        properties.append(column.property)
      }
    } else {
      properties = objectSchema.properties
    }
    self.properties = properties
    writesIdentity = names == nil && objectSchema.primaryKey == nil
  }

  /// The exported columns. If the class has no primary key, the identity comes first, since links
  /// refer to it.
  var columns: [ExportColumn] {
    (writesIdentity ? [ExportColumn(name: objectSchema.identityColumn, isAny: false)] : [])
      + properties.map {
        ExportColumn(name: $0.name, isAny: $0.type == .any && $0.collection == nil)
      }
  }

  /// Returns a cursor over the objects, in the order of the answer.
  ///
  /// - Parameters:
  ///   - identities: The objects to read, instead of running the query.
  ///   - limit: The maximum number of objects; nil for all.
  func cursor(
    _ question: Question, identities: [Int64]? = nil, limit: Int? = nil
  ) throws -> ExportCursor {
    let batches =
      try identities.map { IdentityBatches($0) }
      ?? IdentityBatches(question, schema, db, limit: limit)
    return ExportCursor(self, batches)
  }

  /// Reads the objects with the given identities, in that order.
  fileprivate func read(_ identities: [Int64]) throws -> [ExportedObject] {
    let list = IdentityList.parameter(identities)
    let singles = try singles(list)
    var collections: [Int: [Int64: NestedValue]] = [:]
    for (index, property) in properties.enumerated() {
      guard
        let table = CollectionTable(className: objectSchema.className, property: property)
      else { continue }
      collections[index] = try elements(table, list)
    }
    let rows = identities.compactMap { identity in
      singles[identity].map { row in
        ExportedObject(
          identity: identity,
          values: row.enumerated().map { index, value in
            guard let kind = properties[index].collection else { return value }
            return collections[index]?[identity] ?? (kind == .map ? .dictionary([]) : .list([]))
          })
      }
    }
    var keys = try LinkedKeys(of: rows.lazy.flatMap(\.values), schema, db)
    let embedded = try embedded(rows, &keys)
    return rows.map { row in
      let start: [NestedValue] = writesIdentity ? [.value(.integer(row.identity), .int)] : []
      let values = row.values.enumerated().map { index, value in
        isEmbedded(properties[index])
          ? value.mapLinks { embedded[ObjectLink(className: $0, identity: $1)] ?? .null }
          : keys.replaced(value, in: properties[index])
      }
      return ExportedObject(identity: row.identity, values: start + values, keys: keys.found)
    }
  }

  private func isEmbedded(_ property: Property) -> Bool {
    holdsEmbedded && property.type == .object
      && schema.references.isEmbedded(property.objectClassName)
  }

  /// Reads the embedded objects of some rows, recursively.
  private func embedded(
    _ rows: [ExportedObject], _ keys: inout LinkedKeys
  ) throws -> [ObjectLink: NestedValue] {
    var identities: [String: [Int64]] = [:]
    for (index, property) in properties.enumerated() where isEmbedded(property) {
      for row in rows {
        row.values[index].forEach {
          if case .link(let name, let identity) = $0 {
            identities[name, default: []].append(identity)
          }
        }
      }
    }
    var found: [ObjectLink: NestedValue] = [:]
    for (className, identities) in identities {
      let names = try schema.objectSchema(className).properties.map(\.name)
      let noting = invalid?.includesEmbedded == true ? invalid : nil
      let objects = try ExportReader(className, names, schema, db, noting: noting)
        .read(identities)
      // All objects of a reader share the same keys.
      keys.found.merge(objects.first?.keys ?? [:]) { first, _ in first }
      for object in objects {
        found[ObjectLink(className: className, identity: object.identity)] = .dictionary(
          unordered: zip(names, object.values).map { NestedEntry(key: $0, value: $1) })
      }
    }
    return found
  }

  /// Reads the single values by identity, with null for collections.
  private func singles(_ list: StoredValue) throws -> [Int64: [NestedValue]] {
    let identity = SQLName.quote(objectSchema.identityColumn)
    var sql = [identity]
    for property in properties where property.collection == nil {
      sql.append(SQLName.quote(property.columnName))
      if let type = property.typeColumnName { sql.append(SQLName.quote(type)) }
    }
    var values: [Int64: [NestedValue]] = [:]
    try db.forEachRow(
      """
      SELECT \(sql.joined(separator: ", ")) FROM \(SQLName.quote(objectSchema.className)) \
      WHERE \(identity) IN (SELECT value FROM json_each(?))
      """, [list]
    ) { row in
      guard let identity = row.integer(0) else { return }
      var index = 1
      values[identity] = properties.map { property in
        guard property.collection == nil else { return .null }
        defer { index += property.typeColumnName == nil ? 1 : 2 }
        let type = property.typeColumnName == nil ? nil : row.text(index + 1)
        return value(row[index], type, property)
      }
    }
    return values
  }

  private func elements(
    _ table: CollectionTable, _ list: StoredValue
  ) throws -> [Int64: NestedValue] {
    let key = table.kind == .map ? "key" : "NULL"
    let order = table.slot ?? CollectionTable.value
    let type = table.typeColumnName.map(SQLName.quote) ?? "NULL"
    var items: [Int64: [NestedEntry]] = [:]
    try db.forEachRow(
      """
      SELECT owner, \(key), value, \(type) FROM \(SQLName.quote(table.name)) \
      WHERE owner IN (SELECT value FROM json_each(?)) ORDER BY owner, \(order)
      """, [list]
    ) { row in
      let value = value(row[2], row.text(3), table.property)
      items[row.integer(0) ?? 0, default: []]
        .append(NestedEntry(key: row.text(1) ?? "", value: value))
    }
    return items.mapValues { entries in
      table.kind == .map ? .dictionary(entries) : .list(entries.map(\.value))
    }
  }

  private func value(
    _ stored: StoredValue, _ typeName: String?, _ property: Property
  ) -> NestedValue {
    let value = Self.value(stored, typeName, property)
    invalid?.record(value, typeName, of: property, in: objectSchema.className)
    return value
  }

  private static func value(
    _ stored: StoredValue, _ typeName: String?, _ property: Property
  ) -> NestedValue {
    if stored == .null { return .null }
    if property.type == .object, case .integer(let row) = stored {
      return .link(className: property.objectClassName ?? "", row: row)
    }
    guard property.type == .any else { return .value(stored, property.type) }
    if let className = _StoredElement(.null, type: typeName).linkedClassName,
      case .integer(let row) = stored
    {
      return .link(className: className, row: row)
    }
    if let nested = NestedValue(stored, typeName: typeName) { return nested }
    return .value(stored, typeName.flatMap { PropertyType(rawValue: $0) } ?? .string)
  }
}

/// A column of exported objects.
struct ExportColumn {
  var name: String
  /// Whether each value has a type of its own.
  var isAny: Bool
}

/// An object with the values of its columns.
struct ExportedObject {
  var identity: Int64
  var values: [NestedValue]
  /// The primary keys of the objects that its values link to.
  var keys: [ObjectLink: NestedValue] = [:]

  /// The JSON of a value, with primary keys in links where available.
  func text(of value: NestedValue) -> String {
    value.text { className, row in keys[ObjectLink(className: className, identity: row)] }
  }
}

/// A cursor over objects. One statement reads some hundred objects.
final class ExportCursor {
  private let reader: ExportReader
  private var batches: IdentityBatches
  private var read: [ExportedObject] = []
  private var position = 0

  fileprivate init(_ reader: ExportReader, _ batches: IdentityBatches) {
    self.reader = reader
    self.batches = batches
  }

  /// Returns the next object; nil at the end.
  func next() throws -> ExportedObject? {
    while position == read.count {
      guard let identities = try batches.next() else { return nil }
      read = try reader.read(identities)
      position = 0
    }
    defer { position += 1 }
    return read[position]
  }
}

/// The primary keys of the objects that some values link to.
private struct LinkedKeys {
  var found: [ObjectLink: NestedValue] = [:]

  init(of values: some Sequence<NestedValue>, _ schema: StudioSchema, _ db: Database) throws {
    var links: Set<ObjectLink> = []
    for value in values {
      value.forEach {
        guard case .link(let className, let row) = $0 else { return }
        links.insert(ObjectLink(className: className, identity: row))
      }
    }
    for (className, links) in Dictionary(grouping: links, by: \.className) {
      guard let target = schema.schema[className], let key = target.primaryKeyProperty else {
        continue
      }
      let identity = SQLName.quote(target.identityColumn)
      try db.forEachRow(
        """
        SELECT \(identity), \(SQLName.quote(key.columnName)) FROM \(SQLName.quote(className)) \
        WHERE \(identity) IN (SELECT value FROM json_each(?))
        """, [IdentityList.parameter(links.map(\.identity))]
      ) { row in
        let link = ObjectLink(className: className, identity: row.integer(0) ?? 0)
        found[link] = .value(row[1], key.type)
      }
    }
  }

  /// Replaces identities by primary keys in links. Links in an `AnyRealmValue` keep the identity,
  /// because their class would be unknown; ``ExportedObject/text(of:)`` writes their keys.
  func replaced(_ value: NestedValue, in property: Property) -> NestedValue {
    guard property.type == .object else { return value }
    return value.mapLinks { className, row in
      found[ObjectLink(className: className, identity: row)] ?? .value(.integer(row), .int)
    }
  }
}
