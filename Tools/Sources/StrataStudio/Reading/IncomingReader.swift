import GRDB
import StrataSchema

/// A reader of the incoming links of an object: from links, collections, its parent, and
/// `AnyRealmValue`s.
struct IncomingReader {
  let schema: StudioSchema
  let db: Database

  private static let first = 20

  /// The properties that can link to the object's class, each with the number of linking objects.
  func json(_ link: ObjectLink) throws -> JSONValue {
    let references = schema.references.links(to: link.className) + schema.references.anyValues
    return .array(
      try references.map { reference in
        let (rows, parameters) = rows(reference, to: link)
        let count = try db.count(
          "SELECT count(DISTINCT \(owner(reference))) \(rows)", parameters)
        let links = try self.links(reference, to: link, after: nil, limit: Self.first)
        return [
          "class": .text(reference.origin.className), "property": .text(reference.property.name),
          "count": .int(count), "first": links.list,
        ]
      })
  }

  /// The objects that link to an object by a property, after an identity, and the last identity;
  /// nil at the end.
  ///
  /// - Throws: ``RequestFailure`` with status 404 if the property can't link to the class.
  func links(
    from className: String, _ property: String, to link: ObjectLink, after: Int64?, limit: Int
  ) throws -> (list: JSONValue, last: Int64?) {
    let references = schema.references.links(to: link.className) + schema.references.anyValues
    let found = references.first {
      $0.origin.className == className && $0.property.name == property
    }
    guard let found else {
      throw RequestFailure.gone(
        "'\(PlainText.of(className)).\(PlainText.of(property))' leads to no '\(PlainText.of(link.className))'. "
          + "Load the page again.")
    }
    return try links(found, to: link, after: after, limit: limit)
  }

  private func links(
    _ reference: Reference, to link: ObjectLink, after: Int64?, limit: Int
  ) throws -> (list: JSONValue, last: Int64?) {
    let owner = owner(reference)
    let (rows, parameters) = rows(reference, to: link)
    var identities: [Int64] = []
    try db.forEachRow(
      "SELECT DISTINCT \(owner) \(rows) AND \(owner) > ? ORDER BY 1 LIMIT ?",
      parameters + [.integer(after ?? .min), .integer(Int64(limit) + 1)]
    ) { row in
      if let identity = row.integer(0) { identities.append(identity) }
    }
    let shown = Array(identities.prefix(limit))
    let links = shown.map { ObjectLink(className: reference.origin.className, identity: $0) }
    let labels = try Labels(of: links, schema, db)
    let list = links.map { link -> JSONValue in
      ["id": .int(link.identity), "label": .optional(labels[link]) { .text($0) }]
    }
    return (.array(list), identities.count > limit ? shown.last : nil)
  }

  private func owner(_ reference: Reference) -> String { "r." + SQLName.quote(reference.owner) }

  private func rows(
    _ reference: Reference, to link: ObjectLink
  ) -> (sql: String, parameters: [StoredValue]) {
    let (condition, parameters) = reference.classCondition(link.className, row: "r.")
    let sql = """
      FROM \(SQLName.quote(reference.table)) AS r \
      WHERE r.\(SQLName.quote(reference.column)) = ?\(condition)
      """
    return (sql, [.integer(link.identity)] + parameters)
  }
}
