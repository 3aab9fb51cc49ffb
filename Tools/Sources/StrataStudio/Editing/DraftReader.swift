import GRDB
import StrataSchema
import StrataStorage

/// A reader of objects that are about to be deleted, with all that is needed to bring them back.
struct DraftReader {
  private let schema: StudioSchema
  private let db: Database

  init(_ schema: StudioSchema, _ db: Database) {
    self.schema = schema
    self.db = db
  }

  /// The room for what a request deletes. Once it is used up, the request can't be taken back.
  struct Room {
    var objects = DeletionLimits.objects
    var rows = DeletionLimits.rows
  }

  /// An object with its values, its collections, its embedded objects, and what leads to it; nil
  /// where there is no room for it, and where it has a value that no property can have.
  func draft(_ link: ObjectLink, _ room: inout Room) throws -> Draft? {
    guard var draft = try content(link, &room) else { return nil }
    let references =
      schema.references.links(to: link.className)
      + (schema.references.isEmbedded(link.className) ? [] : schema.references.anyValues)
    for reference in references {
      guard let found = try incoming(link, reference, &room) else { return nil }
      draft.incoming += found
    }
    return draft
  }

  /// The same without what leads to it: an embedded object is a part of its parent.
  func content(_ link: ObjectLink, _ room: inout Room) throws -> Draft? {
    room.objects -= 1
    guard room.objects >= 0 else { return nil }
    let table = try schema.objectSchema(link.className)
    var draft = Draft(className: link.className, identity: link.identity)
    let state = StateReader(schema, db)
    for property in table.properties {
      let place = Place(object: link, property: property)
      if property.collection != nil {
        guard let elements = try elements(place, &room) else { return nil }
        draft.collections.append(DraftCollection(property: property, elements: elements))
        continue
      }
      guard let found = try state.value(place, longestText: 1), !found.isUnreadable,
        let value = try value(found.stored, property, &room)
      else { return nil }
      draft.values.append(DraftValue(property: property, value: value))
    }
    return draft
  }

  /// A value; an embedded object as a whole.
  private func value(
    _ stored: _StoredElement, _ property: Property, _ room: inout Room
  ) throws -> NewValue? {
    guard property.type == .object, let target = property.objectClassName,
      schema.references.isEmbedded(target), case .integer(let identity) = stored.value
    else { return .kept(stored) }
    return try content(ObjectLink(className: target, identity: identity), &room)
      .map { .embedded($0) }
  }

  private func elements(
    _ place: Place, _ room: inout Room
  ) throws -> [(key: String, value: NewValue)]? {
    // One more than there is room for tells that there is none.
    let found = try StateReader(schema, db).elements(place, limit: room.rows + 1)
    room.rows -= found.count
    guard room.rows >= 0 else { return nil }
    var elements: [(key: String, value: NewValue)] = []
    for (key, stored) in found {
      guard let value = try value(stored, place.property, &room) else { return nil }
      elements.append((key, value))
    }
    return elements
  }

  private func incoming(
    _ link: ObjectLink, _ reference: Reference, _ room: inout Room
  ) throws -> [IncomingLink]? {
    guard
      let property = schema.schema[reference.origin.className]?.properties.first(where: {
        SQLName.same($0.columnName, reference.property.columnName)
      })
    else { return [] }
    let table = reference.collection
    let position =
      table?.kind == .list
      ? """
      (SELECT count(*) FROM \(SQLName.quote(reference.table)) AS o WHERE o.owner = r.owner \
      AND o.position < r.position)
      """ : "NULL"
    let (condition, parameters) = reference.classCondition(link.className, row: "r.")
    var found: [IncomingLink] = []
    try db.forEachRow(
      """
      SELECT r.\(SQLName.quote(reference.owner)), \(position), \
      \(table?.kind == .map ? "r.key" : "NULL") FROM \(SQLName.quote(reference.table)) AS r \
      WHERE r.\(SQLName.quote(reference.column)) = ?\(condition) ORDER BY 1, 2 LIMIT ?
      """, [.integer(link.identity)] + parameters + [.integer(Int64(room.rows) + 1)]
    ) { row in
      let owner = ObjectLink(
        className: reference.origin.className, identity: row.integer(0) ?? 0)
      found.append(
        IncomingLink(
          place: Place(object: owner, property: property),
          position: row.integer(1).map { Int($0) }, key: row.text(2)))
    }
    room.rows -= found.count
    return room.rows < 0 ? nil : found
  }
}

/// The limits of what can be brought back after it was deleted.
enum DeletionLimits {
  /// Objects, with the embedded ones that went with them.
  static let objects = 1000
  /// Elements of their collections, and links to them.
  static let rows = 100_000
}
