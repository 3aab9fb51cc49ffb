import GRDB
import StrataSchema
import StrataStorage

/// A reader of objects that are about to be deleted, with everything that an undo needs.
struct DraftReader {
  let schema: StudioSchema
  let db: Database

  /// The remaining budget of a request for deletions. When it is exhausted, the request can't be
  /// undone.
  struct Room {
    var objects = DeletionLimits.objects
    var rows = DeletionLimits.rows
  }

  /// Reads an object with its values, collections, embedded objects and incoming links. Returns nil
  /// if the budget is exhausted, or if a stored value doesn't fit its property.
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

  /// Reads an object without its incoming links, as an embedded object needs it.
  func content(_ link: ObjectLink, _ room: inout Room) throws -> Draft? {
    room.objects -= 1
    guard room.objects >= 0 else { return nil }
    let table = try schema.objectSchema(link.className)
    var draft = Draft(className: link.className, identity: link.identity)
    let state = StateReader(schema: schema, db: db)
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

  /// Reads a value; an embedded object is read as a whole.
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
    // Reads one more than the budget, to detect that it is exceeded.
    let found = try StateReader(schema: schema, db: db).elements(place, limit: room.rows + 1)
    room.rows -= found.count
    guard room.rows >= 0 else { return nil }
    var elements: [(key: String, value: NewValue)] = []
    for entry in found {
      guard let value = try value(entry.value, place.property, &room) else { return nil }
      elements.append((entry.key.text, value))
    }
    return elements
  }

  private func incoming(
    _ link: ObjectLink, _ reference: Reference, _ room: inout Room
  ) throws -> [IncomingLink]? {
    guard let property = schema.property(of: reference) else { return [] }
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

/// The limits of a deletion that can be undone.
enum DeletionLimits {
  /// The number of objects, including deleted embedded objects.
  static let objects = 1000
  /// The number of elements of their collections, and of links to them.
  static let rows = 100_000
}
