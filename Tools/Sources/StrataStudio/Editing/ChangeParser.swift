import StrataSchema
import StrataStorage

/// A parser of the changes in a request.
///
/// ```json
/// {"changes":[{"set":{"class":"Person","id":15,"property":"age","was":99,"to":97}}]}
/// ```
struct ChangeParser {
  private let schema: StudioSchema
  private let values: ValueParser

  /// The maximum number of changes in a request.
  static let maxChanges = 1000
  /// The maximum number of objects in one change.
  static let maxObjects = 100_000

  /// The changes of a request, and the states that must be as the page has seen them.
  struct Changes: Sendable {
    var edits: [Edit] = []
    var seen: [(objects: ObjectsState, state: String)] = []
  }

  init(_ schema: StudioSchema) {
    self.schema = schema
    values = ValueParser(schema)
  }

  /// - Throws: ``RequestFailure``, with the index of the change if there are several.
  func changes(_ json: JSONValue) throws(RequestFailure) -> Changes {
    guard let changes = json["changes"]?.array, !changes.isEmpty else {
      throw .badChange("the list 'changes' is missing or empty")
    }
    guard changes.count <= Self.maxChanges else {
      throw .badChange("a request has at most \(Self.maxChanges) changes")
    }
    var result = Changes()
    for (index, change) in changes.enumerated() {
      do throws(RequestFailure) {
        if try !addToMany(change, &result) { result.edits.append(try edit(change)) }
      } catch {
        throw error.at(index, of: changes.count)
      }
    }
    return result
  }

  // MARK: Many objects

  /// Adds a change of many objects. Returns false for other changes.
  private func addToMany(
    _ json: JSONValue, _ changes: inout Changes
  ) throws(RequestFailure) -> Bool {
    if let body = json["deleteAll"] {
      let objects = try seen(body, &changes)
      for identity in objects.identities {
        changes.edits.append(
          .delete(ObjectLink(className: objects.className, identity: identity), was: []))
      }
      return true
    }
    guard let body = json["setAll"] else { return false }
    let objects = try seen(body, &changes)
    for identity in objects.identities {
      changes.edits.append(
        try set([
          "class": .text(objects.className), "id": .int(identity),
          "property": .text(text("property", body)), "to": member("to", body),
        ]))
    }
    return true
  }

  private func seen(
    _ body: JSONValue, _ changes: inout Changes
  ) throws(RequestFailure) -> ObjectsState {
    let objects = try objects(body)
    changes.seen.append((objects, try text("state", body)))
    return objects
  }

  /// - Throws: ``RequestFailure`` with status 400 if the body is no list of identities.
  func objects(_ body: JSONValue) throws(RequestFailure) -> ObjectsState {
    let table = try schema.objectSchema(try text("class", body))
    let values = body["ids"]?.array ?? []
    let identities = values.compactMap(\.integer)
    guard identities.count == values.count, !identities.isEmpty,
      Set(identities).count == identities.count
    else { throw .badChange("'ids' is no list of different identities") }
    guard identities.count <= Self.maxObjects else {
      throw .badChange("a change has at most \(Self.maxObjects) objects")
    }
    return ObjectsState(className: table.className, identities: identities)
  }

  private func edit(_ json: JSONValue) throws(RequestFailure) -> Edit {
    guard case .object(let members) = json, members.count == 1, let member = members.first else {
      throw .badChange("it isn't an object with one member, such as 'set'")
    }
    let body = member.value
    switch member.name {
    case "create": return try create(body)
    case "delete": return try delete(body)
    case "set": return try set(body)
    case "insert", "remove", "setAt", "move": return try element(member.name, body)
    case "setKey", "removeKey": return try entry(member.name, body)
    default: throw .badChange("the kind '\(PlainText.of(member.name))' is unknown")
    }
  }

  // MARK: Objects

  private func create(_ body: JSONValue) throws(RequestFailure) -> Edit {
    let table = try schema.objectSchema(try text("class", body))
    let draft = try values.draft(table, body["values"] ?? .object([]))
    return .create(draft, name: body["as"]?.text)
  }

  private func delete(_ body: JSONValue) throws(RequestFailure) -> Edit {
    let link = try link(body)
    guard case .object(let members) = body["was"] ?? .object([]) else {
      throw .badChange("'was' of a deletion is an object with values")
    }
    var expected: [ExpectedValue] = []
    for member in members {
      let property = try schema.property(member.name, of: link.className)
      expected.append(ExpectedValue(property: property, value: .wire(member.value)))
    }
    return .delete(link, was: expected)
  }

  private func set(_ body: JSONValue) throws(RequestFailure) -> Edit {
    let place = try place(body)
    guard place.property.collection == nil else {
      throw .badChange("\(place.name) is a collection, whose elements are changed one by one")
    }
    guard !place.property.isPrimaryKey else {
      throw .invalid(
        "\(place.name) is the primary key, which is set when an object is created only. Create another "
          + "object, and delete this one.")
    }
    return .set(place, was: expected(body), to: try value("to", body, place))
  }

  // MARK: Elements

  private func element(_ name: String, _ body: JSONValue) throws(RequestFailure) -> Edit {
    let place = try place(body)
    switch (name, place.property.collection) {
    case ("insert", .list):
      let position = body["at"] == nil ? nil : try self.position("at", body)
      return .insert(place, at: position, try value("value", body, place))
    case ("insert", .set): return .insert(place, at: nil, try value("value", body, place))
    case ("remove", .set): return .removeValue(place, .wire(try member("value", body)))
    case ("remove", .list):
      return .removeAt(place, at: try position("at", body), was: expected(body))
    case ("setAt", .list):
      return .replace(
        place, at: try position("at", body), was: expected(body), to: try value("to", body, place))
    case ("move", .list):
      return .move(
        place, from: try position("from", body), to: try position("to", body),
        was: expected(body))
    default: throw .badChange("\(place.name) is no collection for '\(name)'")
    }
  }

  private func entry(_ name: String, _ body: JSONValue) throws(RequestFailure) -> Edit {
    let place = try place(body)
    guard place.property.collection == .map else {
      throw .badChange("\(place.name) is no collection for '\(name)'")
    }
    let key = try text("key", body)
    if name == "removeKey" { return .removeKey(place, key: key, was: expected(body)) }
    let was = body["new"]?.bool == true ? .absent : expected(body)
    return .setKey(place, key: key, was: was, to: try value("to", body, place))
  }

  // MARK: Members

  private func place(_ body: JSONValue) throws(RequestFailure) -> Place {
    let link = try link(body)
    return Place(
      object: link, property: try schema.property(try text("property", body), of: link.className))
  }

  private func link(_ body: JSONValue) throws(RequestFailure) -> ObjectLink {
    let table = try schema.objectSchema(try text("class", body))
    guard let identity = body["id"]?.integer else { throw .badChange("it has no identity 'id'") }
    return ObjectLink(className: table.className, identity: identity)
  }

  private func expected(_ body: JSONValue) -> Expected {
    body["was"].map { .wire($0) } ?? .anything
  }

  private func value(
    _ name: String, _ body: JSONValue, _ place: Place
  ) throws(RequestFailure) -> NewValue {
    try values.value(try member(name, body), for: place)
  }

  private func position(_ name: String, _ body: JSONValue) throws(RequestFailure) -> Int {
    guard let position = body[name]?.integer, position >= 0 else {
      throw .badChange("'\(name)' is no position from 0")
    }
    return Int(position)
  }

  private func text(_ name: String, _ body: JSONValue) throws(RequestFailure) -> String {
    guard let text = body[name]?.text else { throw .badChange("it has no text '\(name)'") }
    return text
  }

  private func member(_ name: String, _ body: JSONValue) throws(RequestFailure) -> JSONValue {
    guard let member = body[name] else { throw .badChange("it has no '\(name)'") }
    return member
  }
}

extension RequestFailure {
  /// The failure with the index of the change that caused it.
  func at(_ index: Int, of count: Int) -> RequestFailure {
    guard count > 1, !details.contains(where: { $0.name == "index" }) else { return self }
    var failure = self
    failure.details.append(.init("index", .int(index)))
    return failure
  }
}
