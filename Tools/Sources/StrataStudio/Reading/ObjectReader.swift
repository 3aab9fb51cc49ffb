import GRDB
import StrataSchema

/// A reader of one object with its details: long texts, the first elements of its collections, its
/// embedded objects, and its incoming links.
struct ObjectReader {
  let schema: StudioSchema
  let db: Database

  private static let longestText = 100_000
  private static let firstElements = 20
  /// The maximum depth of nested embedded objects.
  private static let maxLevels = 8

  /// - Throws: ``RequestFailure`` with status 404 if the object doesn't exist.
  func json(_ link: ObjectLink) throws -> JSONValue {
    let objectSchema = try schema.objectSchema(link.className)
    guard let values = try values(link, objectSchema, level: 0) else {
      throw RequestFailure.goneObject(link.className, link.identity)
    }
    let labels = try Labels(of: [link], schema, db)
    return [
      "class": .text(link.className), "id": .int(link.identity),
      "label": .optional(labels[link]) { .text($0) },
      "embedded": .bool(objectSchema.isEmbedded),
      "columns": .texts(objectSchema.properties.map(\.name)),
      "values": values,
      "incoming": try IncomingReader(schema: schema, db: db).json(link),
    ]
  }

  private func values(
    _ link: ObjectLink, _ objectSchema: ObjectSchema, level: Int
  ) throws -> JSONValue? {
    let reader = RowReader(schema, db, objectSchema, longestText: Self.longestText)
    guard let row = try reader.cells([link.identity]).first else { return nil }
    let labels = try Labels(of: row.cells.compactMap(\.link), schema, db)
    return .array(
      try zip(objectSchema.properties, row.cells).map { property, cell in
        let value = try value(of: property, cell, link, labels, level: level)
        return schema.changed.marked(value, link.className, property.name, link.identity)
      })
  }

  private func value(
    of property: Property, _ cell: ValueCell, _ link: ObjectLink, _ labels: Labels, level: Int
  ) throws -> JSONValue {
    if let table = CollectionTable(className: link.className, property: property) {
      let elements = try ElementReader(schema, db, table, longestText: RowReader.longestText)
        .json(of: link.identity, after: nil, limit: Self.firstElements) {
          try withObject($0, $1, level: level)
        }
      return ["count": cell.json(labels)["count"] ?? .null, "first": elements.list]
    }
    return try withObject(cell, cell.json(labels), level: level)
  }

  /// The value of a link, with the contents of an embedded object.
  private func withObject(
    _ cell: ValueCell, _ json: JSONValue, level: Int
  ) throws -> JSONValue {
    guard let link = cell.link, level < Self.maxLevels, let target = schema.schema[link.className],
      target.isEmbedded,
      let values = try values(link, target, level: level + 1)
    else { return json }
    let columns = JSONValue.texts(target.properties.map(\.name))
    return .joined(json, ["object": ["columns": columns, "values": values]])
  }
}
