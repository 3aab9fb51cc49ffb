import Strata
import StrataSchema
import StrataStorage

/// Changes of lists, sets and maps.
extension EditRun {
  /// - Throws: ``RequestFailure`` with status 404 if the object doesn't exist.
  func elements(_ place: Place) throws -> StoredElements {
    guard let elements = try object(place.object).storedElements(place.property.name) else {
      throw RequestFailure.badChange("\(place.name) is no collection")
    }
    return elements
  }

  /// The element at a position. Throws if it isn't the expected one.
  private func element(
    _ place: Place, at position: Int, _ expected: Expected
  ) throws -> StateReader.Found {
    let found = try read {
      try $0.element(place, at: position, longestText: expected.longestText)
    }
    try check(found, expected, place, what: "element \(position) of \(place.name)")
    guard let found else {
      throw RequestFailure.lost("element \(position)", of: place)
    }
    return found
  }

  /// Creates a value and passes it to `write`.
  mutating func put(
    _ value: NewValue, _ place: Place, _ elements: StoredElements,
    _ write: (_StoredElement) -> Void
  ) throws {
    guard case .embedded(let draft) = value else { return write(try element(value, place)) }
    let stored = try elements.adopt(try embedded(draft))
    write(stored)
    guard case .integer(let identity) = stored.value else { return }
    try fill(draft, ObjectLink(className: draft.className, identity: identity))
  }

  // MARK: Lists

  mutating func insert(_ place: Place, at position: Int?, _ value: NewValue) throws -> Edit? {
    let elements = try elements(place)
    let count = try read { try $0.count(place) }
    let position = position ?? count
    guard position <= count else {
      throw RequestFailure.otherElements(place, count: count)
    }
    try put(value, place, elements) { elements.insert($0, at: position) }
    let after = try element(place, at: position, .anything)
    return .removeAt(place, at: position, was: .stored(after.stored))
  }

  mutating func replace(
    _ place: Place, at position: Int, _ was: Expected, _ to: NewValue
  ) throws -> Edit? {
    let elements = try elements(place)
    let found = try element(place, at: position, was)
    let before = try keeping(found.stored, place)
    try put(to, place, elements) { elements.replace(at: position, with: $0) }
    let after = try element(place, at: position, .anything)
    guard let before, !found.isUnreadable else { return nil }
    return .replace(place, at: position, was: .stored(after.stored), to: before)
  }

  mutating func remove(_ place: Place, at position: Int, _ was: Expected) throws -> Edit? {
    let elements = try elements(place)
    let found = try element(place, at: position, was)
    let before = try keeping(found.stored, place)
    elements.remove(at: position)
    guard let before, !found.isUnreadable else { return nil }
    return .insert(place, at: position, before)
  }

  func move(_ place: Place, from: Int, to: Int, _ was: Expected) throws -> Edit? {
    let elements = try elements(place)
    let found = try element(place, at: from, was)
    guard try to < read({ try $0.count(place) }) else {
      throw RequestFailure.lost("element \(to)", of: place)
    }
    elements.move(from: from, to: to)
    return .move(place, from: to, to: from, was: .stored(found.stored))
  }

  // MARK: Sets

  mutating func insert(_ place: Place, _ value: NewValue) throws -> Edit? {
    let elements = try elements(place)
    let stored = try element(value, place)
    guard elements.insert(stored) else {
      try realm.throwMistake()
      throw RequestFailure.invalid(
        "\(place.name) of object \(place.object.identity) has this element already. Give another one."
      )
    }
    return .removeValue(place, .stored(stored))
  }

  func remove(_ place: Place, _ was: Expected) throws -> Edit? {
    let elements = try elements(place)
    let expected = identities.resolved(was, place.single)
    guard let found = try read({ try $0.element(place, expected) }) else {
      throw RequestFailure.lost("an element", of: place)
    }
    elements.remove(found.stored)
    return found.isUnreadable ? nil : .insert(place, at: nil, .kept(found.stored))
  }

  // MARK: Maps

  /// The entry of a key. Throws if it isn't the expected one.
  private func entry(
    _ place: Place, _ key: String, _ expected: Expected
  ) throws -> StateReader.Found? {
    let found = try read { try $0.element(place, key: key, longestText: expected.longestText) }
    if case .anything = expected { return found }
    try check(found, expected, place, what: "the key '\(PlainText.of(key))' of \(place.name)")
    return found
  }

  mutating func setKey(
    _ place: Place, _ key: String, _ was: Expected, _ to: NewValue
  ) throws -> Edit? {
    let elements = try elements(place)
    let found = try entry(place, key, was)
    let before = try found.map { try keeping($0.stored, place) }
    try put(to, place, elements) { elements.set($0, forKey: key) }
    let after = try entry(place, key, .anything)?.stored ?? .null
    guard let found else { return .removeKey(place, key: key, was: .stored(after)) }
    guard let before = before ?? nil, !found.isUnreadable else { return nil }
    return .setKey(place, key: key, was: .stored(after), to: before)
  }

  mutating func removeKey(_ place: Place, _ key: String, _ was: Expected) throws -> Edit? {
    let elements = try elements(place)
    guard let found = try entry(place, key, was) else {
      throw RequestFailure.lost("the key '\(PlainText.of(key))'", of: place)
    }
    let before = try keeping(found.stored, place)
    elements.remove(key: key)
    guard let before, !found.isUnreadable else { return nil }
    return .setKey(place, key: key, was: .absent, to: before)
  }
}

extension RequestFailure {
  /// The conflict of an element that another program has removed.
  fileprivate static func lost(_ what: String, of place: Place) -> RequestFailure {
    conflict("\(what) of \(place.name) of object \(place.object.identity)", before: nil, now: nil)
  }

  /// The conflict of a collection that another program has changed.
  static func otherElements(_ place: Place, count: Int) -> RequestFailure {
    RequestFailure(
      .conflict, "conflict",
      "Another program changed \(place.name) of object \(place.object.identity) meanwhile: it has "
        + "\(count) elements now. Check the elements first.",
      details: [.init("now", ["count": .int(count)])])
  }
}
