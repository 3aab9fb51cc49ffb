import Strata
import StrataSchema
import StrataStorage

/// Links in lists and dictionaries inside of an `AnyRealmValue`.
extension EditRun {
  /// Has lists and dictionaries lead to the objects that came back: a deletion leaves the identity
  /// in their texts, which no other object ever gets.
  ///
  /// Once for all objects that came back together: each table is read as a whole.
  mutating func relinkNested() throws {
    guard !returned.isEmpty else { return }
    let classes = Set(returned.map(\.className))
    returned = []
    for reference in schema.references.anyValues where reference.collection?.kind != .set {
      for (place, slot, value) in try oldNestedValues(reference, linkingTo: classes) {
        switch slot {
        case .integer(let position):
          let elements = try elements(place)
          let before = try realm.withDatabase { db in
            try db.integer(
              """
              SELECT count(*) FROM \(SQLName.quote(reference.table)) \
              WHERE owner = ? AND position < ?
              """, [.integer(place.object.identity), .integer(position)])
          }
          elements.replace(at: Int(before ?? 0), with: value)
        case .text(let key): try elements(place).set(value, forKey: key)
        default: try object(place.object).setNested(value, place.property.name)
        }
      }
    }
  }

  /// The lists and dictionaries of a property that have old identities of some classes, with the
  /// new ones: whose they are, and their position or key in a collection.
  private func oldNestedValues(
    _ reference: Reference, linkingTo classes: Set<String>
  ) throws -> [(Place, slot: StoredValue, _StoredElement)] {
    guard
      let property = schema.schema[reference.origin.className]?.properties.first(where: {
        SQLName.same($0.columnName, reference.property.columnName)
      })
    else { return [] }
    let (value, type) = (SQLName.quote(reference.column), SQLName.quote(reference.typeColumn))
    let links = classes.map { _ in "strata_nested_links(\(value), \(type), ?, NULL)" }
    var found: [(Place, slot: StoredValue, _StoredElement)] = []
    try realm.withDatabase { db in
      try db.forEachRow(
        """
        SELECT \(SQLName.quote(reference.owner)), \
        \(reference.collection?.slot.map(SQLName.quote) ?? "NULL"), \(value), \(type) \
        FROM \(SQLName.quote(reference.table)) WHERE \(AnyValueSQL.isNested(reference.typeColumn)) \
        AND (\(links.joined(separator: " OR ")))
        """, classes.map { .text($0) }
      ) { row in
        let owner = ObjectLink(
          className: reference.origin.className, identity: row.integer(0) ?? 0)
        let place = Place(object: owner, property: property)
        let stored = _StoredElement(row[2], type: row.text(3))
        let value = identities.resolved(stored, place.single)
        if !value.isSame(as: stored) { found.append((place, row[1], value)) }
      }
    }
    return found
  }
}
