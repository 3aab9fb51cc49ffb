import GRDB
import Strata
import StrataSchema
import StrataStorage

/// The changes of one request inside of its transaction, with the changes that undo them.
///
/// ```swift
/// try realm.write {
///   var run = EditRun(realm: realm, schema: schema, identities: identities)
///   let opposite = try run.apply(edits)
/// }
/// ```
/// An error rolls the transaction back: either all changes are made, or none.
struct EditRun {
  let realm: Realm
  let schema: StudioSchema
  /// The restored objects that have other identities now.
  var identities: KnownIdentities
  /// The created objects, by their names in the request.
  private(set) var created: [String: ObjectLink] = [:]
  /// Whether the whole request can be undone.
  var isUndoable = true
  /// The restored objects, by their new identities, as long as lists and dictionaries inside of an
  /// `AnyRealmValue` still have the old identities.
  var returned: Set<ObjectLink> = []
  var room = DraftReader.Room()

  /// Applies changes in order.
  ///
  /// - Returns: The changes that undo them, in the order in which they must be applied.
  /// - Throws: ``RequestFailure`` with status 409 for an unexpected value, 404 for a missing
  ///   object, and 422 for changes that the library refuses.
  mutating func apply(_ edits: [Edit]) throws -> [Edit] {
    var opposites: [Edit] = []
    for (index, edit) in edits.enumerated() {
      do {
        if !edit.isCreation { try relinkNested() }
        let opposite = try apply(edit)
        try realm.throwMistake()
        if let opposite, isUndoable { opposites.append(opposite) } else { isUndoable = false }
      } catch {
        // A mistake that the library recorded is the cause of the later failure.
        let reason = Result { try realm.throwMistake() }.failure ?? error
        guard let failure = reason as? RequestFailure ?? StudioFailure.explain(reason) else {
          throw reason
        }
        throw failure.at(index, of: edits.count)
      }
    }
    try relinkNested()
    return opposites.reversed()
  }

  private mutating func apply(_ edit: Edit) throws -> Edit? {
    switch edit {
    case .create(let draft, let name):
      let link = try create(draft)
      if let name { created[name] = link }
      return isUndoable ? .delete(link, was: try read { try values(of: link, $0) }) : nil
    case .delete(let link, let was): return try delete(identities[link], was)
    case .set(let place, let was, let to): return try set(identities[place], was, to)
    case .insert(let place, let position, let value):
      let place = identities[place]
      return place.property.collection == .list
        ? try insert(place, at: position, value) : try insert(place, value)
    case .replace(let place, let position, let was, let to):
      return try replace(identities[place], at: position, was, to)
    case .removeAt(let place, let position, let was):
      return try remove(identities[place], at: position, was)
    case .removeValue(let place, let was): return try remove(identities[place], was)
    case .move(let place, let from, let to, let was):
      return try move(identities[place], from: from, to: to, was)
    case .setKey(let place, let key, let was, let to):
      return try setKey(identities[place], key, was, to)
    case .removeKey(let place, let key, let was):
      return try removeKey(identities[place], key, was)
    }
  }

  // MARK: Reading

  /// Reads the current state of the transaction.
  func read<Value>(_ body: (StateReader) throws -> Value) throws -> Value {
    try realm.reading { db in try body(StateReader(schema: schema, db: db)) }
  }

  /// Whether objects are unchanged since a page received their state.
  func isUnchanged(_ objects: ObjectsState, since state: String) throws -> Bool {
    try realm.reading { db in try objects.text(schema, db) == state }
  }

  /// - Throws: ``RequestFailure`` with status 404.
  func object(_ link: ObjectLink) throws -> DynamicObject {
    guard let object = realm.dynamicObject(ofType: link.className, identity: link.identity) else {
      throw RequestFailure.goneObject(link.className, link.identity)
    }
    return object
  }

  /// The current value of a property. Throws if it isn't the expected one.
  func current(_ place: Place, _ expected: Expected) throws -> StateReader.Found {
    let found = try read { try $0.value(place, longestText: expected.longestText) }
    guard let found else {
      throw RequestFailure.goneObject(place.object.className, place.object.identity)
    }
    try check(found, expected, place, what: place.name)
    return found
  }

  /// - Parameter what: The property or the element, as messages name it.
  func check(
    _ found: StateReader.Found?, _ expected: Expected, _ place: Place, what: String
  ) throws {
    switch (identities.resolved(expected, place.single), found) {
    case (.absent, nil), (.anything, .some): return
    case (let expected, let found?) where expected.isMet(by: found): return
    case (let expected, let found):
      let now = try read { try $0.json(found) }
      let before: String? =
        switch expected {
        case .wire(let sent): sent.shown
        case .absent: "not there"
        case .anything, .stored, .elements: nil
        }
      throw RequestFailure.conflict(
        "\(what) of object \(place.object.identity)", before: before,
        now: found == nil ? nil : now)
    }
  }

  // MARK: Writing

  /// Converts a value to its stored form. Links lead to existing objects.
  func element(_ value: NewValue, _ place: Place) throws -> _StoredElement {
    let property = place.single
    switch value {
    case .created(let name):
      guard let link = created[name] else {
        throw RequestFailure.badChange(
          "no change before it creates an object as '\(PlainText.of(name))'")
      }
      if property.type == .any {
        return _StoredElement(
          .integer(link.identity), type: _StoredElement.typeName(ofLinkTo: link.className))
      }
      guard property.objectClassName == link.className else {
        throw RequestFailure.invalid(
          "\(place.name) can't hold an object of '\(PlainText.of(link.className))'. Create one of "
            + "'\(PlainText.of(property.objectClassName ?? ""))'.")
      }
      return _StoredElement(.integer(link.identity))
    case .stored(let stored):
      let stored = identities.resolved(stored, property)
      for link in stored.links(of: property) where try !read({ try $0.exists(link) }) {
        throw RequestFailure.invalid(
          "There is no object \(link.identity) of '\(PlainText.of(link.className))' for "
            + "\(place.name). Choose another one.")
      }
      return stored
    case .kept(let stored):
      return stored.isNested
        ? identities.resolved(stored, property) : try element(.stored(stored), place)
    case .embedded:
      throw RequestFailure.badChange("\(place.name) can't hold an embedded object")
    }
  }

  private mutating func set(
    _ place: Place, _ was: Expected, _ to: NewValue
  ) throws -> Edit? {
    let found = try current(place, was)
    let object = try object(place.object)
    let before = try keeping(found.stored, place)
    if case .embedded(let draft) = to {
      object[place.property.name] = try embedded(draft)
      let link = try embeddedLink(at: place)
      try fill(draft, link)
    } else if case .kept(let stored) = to, stored.isNested {
      object.setNested(try element(to, place), place.property.name)
    } else {
      let element = try element(to, place)
      guard let value = realm.dynamicValue(of: element, for: place.property) else {
        throw RequestFailure.invalid(
          "\(place.name) can't have this value. Give it one of type '\(place.property.typeName)'.")
      }
      object[place.property.name] = value
    }
    let after = try current(place, .anything).stored
    guard let before, !found.isUnreadable else { return nil }
    return .set(place, was: .stored(after), to: before)
  }

  /// The replaced value, for the undo; nil if the request can't be undone.
  mutating func keeping(_ stored: _StoredElement, _ place: Place) throws -> NewValue? {
    guard let target = place.property.objectClassName, schema.references.isEmbedded(target),
      case .integer(let identity) = stored.value
    else { return .kept(stored) }
    guard isUndoable else { return nil }
    return try realm.reading { db in
      try DraftReader(schema: schema, db: db).content(
        ObjectLink(className: target, identity: identity), &room)
    }.map { .embedded($0) }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension _StoredElement {
  /// The objects that a value of a property links to.
  func links(of property: Property) -> [ObjectLink] {
    switch (property.type, value) {
    case (.object, .integer(let identity)):
      return [ObjectLink(className: property.objectClassName ?? "", identity: identity)]
    case (.any, .integer(let identity)):
      return linkedClassName.map { [ObjectLink(className: $0, identity: identity)] } ?? []
    case (.any, _) where isNested:
      var links: [ObjectLink] = []
      NestedValue(value, typeName: type)?.forEach { part in
        if case .link(let className, let row) = part {
          links.append(ObjectLink(className: className, identity: row))
        }
      }
      return links
    default: return []
    }
  }
}

extension RequestFailure {
  static func changedObjects(_ objects: ObjectsState) -> RequestFailure {
    RequestFailure(
      .conflict, "conflict",
      "Another program changed one of the objects of '\(PlainText.of(objects.className))' meanwhile. "
        + "Check them before you try again.")
  }

  /// The conflict of a value that another program has changed since the page read it.
  ///
  /// - Parameters:
  ///   - what: The value, as messages name it.
  ///   - before: The value that the page expects; nil if unknown.
  ///   - now: The current value; nil if the value is missing.
  static func conflict(_ what: String, before: String?, now: JSONValue?) -> RequestFailure {
    let state = now.map { "it is \($0.shown) now" } ?? "it was deleted"
    let was = before.map { ", and was \($0) when you began" } ?? ""
    return RequestFailure(
      .conflict, "conflict",
      "Another program changed \(what) meanwhile: \(state)\(was). Check the new value first.",
      details: [.init("now", now ?? .null)])
  }
}

/// Links in lists and dictionaries inside of an `AnyRealmValue`.
extension EditRun {
  /// Updates links to restored objects in lists and dictionaries. A deletion leaves the old
  /// identity in their texts, and no other object ever gets that identity.
  ///
  /// Runs once for all objects of a restore, since it scans whole tables.
  mutating func relinkNested() throws {
    guard !returned.isEmpty else { return }
    let classes = Set(returned.map(\.className))
    returned = []
    for reference in schema.references.anyValues where reference.collection?.kind != .set {
      for (place, slot, value) in try oldNestedValues(reference, linkingTo: classes) {
        switch slot {
        case .integer(let position):
          let elements = try elements(place)
          let before = try realm.reading { db in
            try db.count(
              """
              SELECT count(*) FROM \(SQLName.quote(reference.table)) \
              WHERE owner = ? AND position < ?
              """, [.integer(place.object.identity), .integer(position)])
          }
          elements.replace(at: before, with: value)
        case .text(let key): try elements(place).set(value, forKey: key)
        default: try object(place.object).setNested(value, place.property.name)
        }
      }
    }
  }

  /// Finds the lists and dictionaries of a property that contain old identities of some classes.
  /// Returns their new values, each with its owner and its position or key in a collection.
  private func oldNestedValues(
    _ reference: Reference, linkingTo classes: Set<String>
  ) throws -> [(Place, slot: StoredValue, _StoredElement)] {
    guard let property = schema.property(of: reference) else { return [] }
    let (value, type) = (SQLName.quote(reference.column), SQLName.quote(reference.typeColumn))
    let links = classes.map { _ in "strata_nested_links(\(value), \(type), ?, NULL)" }
    var found: [(Place, slot: StoredValue, _StoredElement)] = []
    try realm.reading { db in
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
        if value != stored { found.append((place, row[1], value)) }
      }
    }
    return found
  }
}
