import Strata
import StrataSchema
import StrataStorage

/// Creation, deletion and restoring of objects.
extension EditRun {
  /// Creates an object with its contents and its incoming links.
  ///
  /// - Returns: The link to the new object.
  mutating func create(_ draft: Draft) throws -> ObjectLink {
    let table = try schema.objectSchema(draft.className)
    if table.isEmbedded, let parent = draft.incoming.first { return try putBack(draft, in: parent) }
    let object = realm.dynamicCreate(draft.className, values: try values(draft))
    try realm.throwMistake()
    let link = ObjectLink(className: draft.className, identity: object.identity)
    try fill(draft, link)
    return link
  }

  /// The values for a new object, by name. In a restored object, links to deleted objects are nil.
  private func values(_ draft: Draft) throws -> [String: Any?] {
    var values: [String: Any?] = [:]
    for part in draft.values {
      let place = Place(
        object: ObjectLink(className: draft.className, identity: draft.identity ?? 0),
        property: part.property)
      if case .embedded(let child) = part.value {
        values.updateValue(try self.values(child), forKey: part.property.name)
        continue
      }
      // A list or dictionary may contain a link to the object itself, so it is set after the
      // creation.
      if part.value.isKeptNested { continue }
      if try leadsNowhere(part.value, part.property) { continue }
      let element = try element(part.value, place)
      guard let value = realm.dynamicValue(of: element, for: part.property) else {
        throw RequestFailure.invalid(
          "\(place.name) can't have this value. Give it one of type '\(part.property.typeName)'.")
      }
      values.updateValue(value, forKey: part.property.name)
    }
    return values
  }

  /// Whether a kept value is a link to an object that doesn't exist now. Links in lists and
  /// dictionaries are kept, as after a deletion of their targets.
  private func leadsNowhere(_ value: NewValue, _ property: Property) throws -> Bool {
    guard case .kept(let stored) = value, !stored.isNested else { return false }
    let links = identities.resolved(stored, property).links(of: property)
    return try links.contains { link in try !read { try $0.exists(link) } }
  }

  /// An embedded object that is in no realm yet.
  func embedded(_ draft: Draft) throws -> DynamicObject {
    let object = realm.dynamicEmbeddedObject(draft.className, value: try values(draft))
    try realm.throwMistake()
    guard let object else { throw RequestFailure.badChange("it has no embedded class") }
    return object
  }

  /// The current embedded object of a property.
  func embeddedLink(at place: Place) throws -> ObjectLink {
    guard case .integer(let identity) = try current(place, .anything).stored.value else {
      throw RequestFailure.invalid("\(place.name) didn't take the object. Load the page again.")
    }
    return ObjectLink(className: place.property.objectClassName ?? "", identity: identity)
  }

  /// Fills the collections of a new object and of its embedded objects, and restores the incoming
  /// links.
  mutating func fill(_ draft: Draft, _ link: ObjectLink) throws {
    if let old = draft.identity {
      identities.record(ObjectLink(className: draft.className, identity: old), is: link)
      if !schema.references.isEmbedded(draft.className) { returned.insert(link) }
    }
    for part in draft.values {
      let place = Place(object: link, property: part.property)
      if part.value.isKeptNested {
        try object(link).setNested(try element(part.value, place), part.property.name)
      }
      guard case .embedded(let child) = part.value else { continue }
      try fill(child, try embeddedLink(at: place))
    }
    for collection in draft.collections where !collection.elements.isEmpty {
      try fill(collection, Place(object: link, property: collection.property), draft)
    }
    guard !draft.incoming.isEmpty, !schema.references.isEmbedded(draft.className) else { return }
    let inside = draft.identitiesInside
    for incoming in draft.incoming {
      // The object's own collections have the link already.
      if incoming.place.property.collection != nil, inside.contains(incoming.place.object) {
        continue
      }
      try bringBack(incoming, link)
    }
  }

  private mutating func fill(
    _ collection: DraftCollection, _ place: Place, _ draft: Draft
  ) throws {
    let elements = try elements(place)
    for (key, value) in collection.elements {
      if try leadsNowhere(value, place.single) {
        // Same result as after a deletion of the target: lists and sets lose the element, a map
        // keeps the key.
        if place.property.collection == .map { elements.set(.null, forKey: key) }
        continue
      }
      try put(value, place, elements) { stored in
        switch place.property.collection {
        case .list: elements.append([stored])
        case .set: _ = elements.insert(stored)
        case .map: elements.set(stored, forKey: key)
        case nil: break
        }
      }
    }
  }

  /// Restores a link to an object, unless the property has another value now.
  private func bringBack(_ incoming: IncomingLink, _ link: ObjectLink) throws {
    let place = identities[incoming.place]
    guard try read({ try $0.exists(place.object) }) else { return }
    let isAny = place.property.type == .any
    let stored = _StoredElement(
      .integer(link.identity),
      type: isAny ? _StoredElement.typeName(ofLinkTo: link.className) : nil)
    guard place.property.collection != nil else {
      guard try current(place, .anything).stored.value == .null,
        let value = realm.dynamicValue(of: stored, for: place.property)
      else { return }
      try object(place.object)[place.property.name] = value
      return
    }
    let elements = try elements(place)
    switch place.property.collection {
    case .list:
      let position = incoming.position ?? 0
      guard isAny else { return elements.insert(stored, at: min(position, elements.count)) }
      // The deletion had replaced the element by nil.
      if try read({ try $0.element(place, at: position) })?.stored.value == .null {
        elements.replace(at: position, with: stored)
      }
    case .set: _ = elements.insert(stored)
    case .map:
      let key = incoming.key ?? ""
      if try read({ try $0.element(place, key: key) })?.stored.value == .null {
        elements.set(stored, forKey: key)
      }
    case nil: break
    }
  }

  /// Restores an embedded object in its parent.
  private mutating func putBack(_ draft: Draft, in parent: IncomingLink) throws -> ObjectLink {
    let place = identities[parent.place]
    let object = try object(place.object)
    guard place.property.collection != nil else {
      _ = try current(place, .stored(.null))
      object[place.property.name] = try embedded(draft)
      let link = try embeddedLink(at: place)
      try fill(draft, link)
      return link
    }
    let elements = try elements(place)
    let stored = try elements.adopt(try embedded(draft))
    if let key = parent.key {
      let found = try read { try $0.element(place, key: key) }
      if found != nil { try check(found, .stored(.null), place, what: place.name) }
      elements.set(stored, forKey: key)
    } else {
      elements.insert(stored, at: min(parent.position ?? 0, elements.count))
    }
    guard case .integer(let identity) = stored.value else {
      throw RequestFailure.invalid("\(place.name) didn't take the object. Load the page again.")
    }
    let link = ObjectLink(className: draft.className, identity: identity)
    try fill(draft, link)
    return link
  }

  // MARK: Deleting

  mutating func delete(_ link: ObjectLink, _ was: [ExpectedValue]) throws -> Edit? {
    let object = try object(link)
    for expected in was {
      let object = expected.object.map { identities[$0] } ?? link
      let place = Place(object: object, property: expected.property)
      if case .elements(let entries) = identities.resolved(expected.value, place.single) {
        try check(entries, place)
      }
      guard expected.property.collection == nil else { continue }
      _ = try current(place, expected.value)
    }
    var draft: Draft?
    if isUndoable {
      draft = try realm.reading { db in try DraftReader(schema: schema, db: db).draft(link, &room) }
    }
    realm.delete(object)
    try realm.throwMistake()
    return draft.map { .create($0, name: nil) }
  }

  private func check(_ expected: [StoredEntry], _ place: Place) throws {
    let found = try read { try $0.elements(place) }
    // A set is sorted by identities, which may have changed.
    let isUnchanged =
      found == expected
      || place.property.collection == .set && found.count == expected.count
        && expected.allSatisfy(found.contains)
    guard isUnchanged else { throw RequestFailure.otherElements(place, count: found.count) }
  }

  /// All values of an object, to detect changes by other programs.
  ///
  /// - Parameter object: The embedded object with the values; nil for the object itself.
  func values(
    of link: ObjectLink, as object: ObjectLink? = nil, _ state: StateReader
  ) throws -> [ExpectedValue] {
    var values: [ExpectedValue] = []
    for property in try schema.objectSchema(link.className).properties {
      let place = Place(object: link, property: property)
      var stored: [_StoredElement] = []
      if property.collection != nil {
        let elements = try state.elements(place)
        stored = elements.map(\.value)
        values.append(
          ExpectedValue(object: object, property: property, value: .elements(elements)))
      } else if let found = try state.value(place, longestText: 1) {
        stored = [found.stored]
        values.append(
          ExpectedValue(object: object, property: property, value: .stored(found.stored)))
      }
      guard let target = property.objectClassName, schema.references.isEmbedded(target) else {
        continue
      }
      for case .integer(let identity) in stored.map(\.value) {
        let child = ObjectLink(className: target, identity: identity)
        values += try self.values(of: child, as: child, state)
      }
    }
    return values
  }
}
