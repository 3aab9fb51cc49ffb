import Foundation
import Strata
import StrataSchema
import StrataStorage

/// A parser of values that a page sends, from JSON to their stored form.
///
/// ```swift
/// try ValueParser(schema).value(97, for: place)  // .stored(_StoredElement(.integer(97)))
/// ```
/// Checks that each value has the property's type. The target of a link is only checked when the
/// change is made.
struct ValueParser {
  private let schema: StudioSchema

  init(_ schema: StudioSchema) { self.schema = schema }

  /// Parses the value of a property, or of an element of a collection.
  ///
  /// - Throws: ``RequestFailure`` with status 422 that describes the problem.
  func value(_ json: JSONValue, for place: Place) throws(RequestFailure) -> NewValue {
    let property = place.single
    if json == .null {
      guard property.isNullable else {
        throw .invalid(
          "\(place.name) can't be nil. Give it a value of type '\(property.typeName)'.")
      }
      return .stored(.null)
    }
    if property.type == .object { return try object(json, property, place) }
    if property.type == .any, let name = json["new"]?.text { return .created(name) }
    if json["text"] != nil, json["length"] != nil {
      throw .invalid("\(place.name) would get the beginning of a text. Send all of it.")
    }
    if property.type == .any { return .stored(try any(json, place)) }
    guard let stored = Self.stored(json, property.type) else { throw .wrongValue(json, place) }
    return .stored(_StoredElement(stored))
  }

  // MARK: Objects

  private func object(
    _ json: JSONValue, _ property: Property, _ place: Place
  ) throws(RequestFailure) -> NewValue {
    let target = try schema.objectSchema(property.objectClassName ?? "")
    if target.isEmbedded {
      guard let values = json["values"] else {
        throw .invalid(
          "\(place.name) holds an embedded object, which only one object may contain. Send the "
            + "values of a new one.")
      }
      return .embedded(try draft(target, values))
    }
    if let name = json["new"]?.text { return .created(name) }
    guard let identity = json["id"]?.integer else { throw .wrongValue(json, place) }
    return .stored(_StoredElement(.integer(identity)))
  }

  /// A new object from a JSON object.
  func draft(
    _ table: ObjectSchema, _ values: JSONValue
  ) throws(RequestFailure) -> Draft {
    guard case .object(let members) = values else { throw .badChange("'values' is no object") }
    var draft = Draft(className: table.className)
    for member in members {
      let property = try schema.property(member.name, of: table.className)
      let place = Place(
        object: ObjectLink(className: table.className, identity: 0), property: property)
      if property.collection == nil {
        draft.values.append(
          DraftValue(property: property, value: try value(member.value, for: place)))
      } else {
        draft.collections.append(try collection(member.value, place))
      }
    }
    return draft
  }

  private func collection(
    _ json: JSONValue, _ place: Place
  ) throws(RequestFailure) -> DraftCollection {
    var collection = DraftCollection(property: place.property)
    switch (place.property.collection, json) {
    case (.map, .object(let members)):
      for member in members {
        collection.elements.append((member.name, try value(member.value, for: place)))
      }
    case (.list, .array(let values)), (.set, .array(let values)):
      for element in values { collection.elements.append(("", try value(element, for: place))) }
    default: throw .wrongValue(json, place)
    }
    return collection
  }

  // MARK: Values with their types

  private func any(_ json: JSONValue, _ place: Place) throws(RequestFailure) -> _StoredElement {
    guard let name = json["type"]?.text, let value = json["value"] else {
      throw .invalid(
        "\(place.name) is an 'AnyRealmValue'. Send the type beside the value: "
          + "{\"type\":\"int\",\"value\":5}.")
    }
    if let kind = NestedKind(rawValue: name) { return try nested(value, kind, place) }
    if name == PropertyType.object.rawValue {
      guard let className = value["class"]?.text, let identity = value["id"]?.integer else {
        throw .wrongValue(value, place)
      }
      guard try !schema.objectSchema(className).isEmbedded else {
        throw .invalid("\(place.name) can't hold an embedded object. Choose one of another class.")
      }
      return _StoredElement(
        .integer(identity), type: _StoredElement.typeName(ofLinkTo: className))
    }
    guard let type = PropertyType(rawValue: name), let stored = Self.stored(value, type) else {
      throw .wrongValue(value, place, type: name)
    }
    return _StoredElement(stored, type: name)
  }

  private func nested(
    _ json: JSONValue, _ kind: NestedKind, _ place: Place
  ) throws(RequestFailure) -> _StoredElement {
    guard place.property.collection != .set else {
      throw .invalid(
        "The set \(place.name) can't hold a \(kind.rawValue). Use a single value.")
    }
    guard let text = json.text else { throw .wrongValue(json, place, type: kind.rawValue) }
    let value: NestedValue
    do throws(JSONProblem) {
      value = try NestedValue(text: text)
    } catch {
      throw .invalid(
        "The \(kind.rawValue) for \(place.name) can't be read: byte \(error.offset) should be "
          + "\(error.expected). Repair the JSON.")
    }
    guard value.kind == kind else {
      throw .invalid(
        "The JSON for \(place.name) is no \(kind.rawValue). Write "
          + "\(kind == .list ? "[…]" : "{…}"), or choose another type.")
    }
    do throws(NestedValue.Misfit) {
      return _StoredElement(.text(try value.normal().text), type: kind.rawValue)
    } catch {
      throw .wrongValue(.text(error.text), place, type: error.type.rawValue)
    }
  }

  // MARK: Single values

  /// The stored form of a value; nil if the JSON is no value of the type.
  static func stored(_ json: JSONValue, _ type: PropertyType) -> StoredValue? {
    switch type {
    case .int: json.integer.map { .integer($0) }
    case .bool: json.bool.map { .integer($0 ? 1 : 0) }
    case .double: json.double.flatMap { $0._stored }
    case .float: json.double.flatMap { float($0) }
    case .string: json.text.map { .text($0) }
    case .data: bytes(json).map { .blob($0) }
    case .date: json.text.flatMap { Date(_stored: .text($0))?._stored }
    case .UUID: json.text.flatMap { UUID(uuidString: $0)?._stored }
    case .objectId: json.text.flatMap { ObjectId(_stored: .text($0.lowercased()))?._stored }
    case .decimal128: json.text.flatMap { Decimal128(_stored: .text($0))?._stored }
    case .any, .object, .linkingObjects: nil
    }
  }

  private static func float(_ number: Double) -> StoredValue? {
    let float = Float(number)
    return float.isInfinite && number.isFinite ? nil : float._stored
  }

  /// Parses bytes in hexadecimal digits. Also accepts the form that pages receive, if it is
  /// complete.
  private static func bytes(_ json: JSONValue) -> [UInt8]? {
    let isWhole = json["bytes"]?.integer == json["start"]?.text.map { Int64($0.utf8.count / 2) }
    return (json["hex"]?.text ?? (isWhole ? json["start"]?.text : nil)).flatMap {
      hexBytes($0.utf8)
    }
  }
}

extension RequestFailure {
  /// The failure of a malformed change.
  static func badChange(_ problem: String) -> RequestFailure {
    RequestFailure(.badRequest, "badChange", "A change can't be read: \(problem). Correct it.")
  }

  fileprivate static func wrongValue(
    _ json: JSONValue, _ place: Place, type: String? = nil
  ) -> RequestFailure {
    let name = type.map { PlainText.of($0) } ?? place.single.typeName
    return invalid(
      "\(json.shown) is no value of type '\(name)', which \(place.name) needs. "
        + advice(PropertyType(rawValue: type ?? place.single.type.rawValue)))
  }

  private static func advice(_ type: PropertyType?) -> String {
    switch type {
    case .int: "Give a whole number of 64 bits."
    case .bool: "Give 'true' or 'false'."
    case .float, .double: "Give a number that it can hold."
    case .string: "Give a text."
    case .data: "Give all bytes in hexadecimal digits, or a file."
    case .date: "Give a date in UTC as '2024-02-29 12:00:00.000000000'."
    case .UUID: "Give 32 hexadecimal digits as '6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD'."
    case .objectId: "Give 24 hexadecimal digits."
    case .decimal128: "Give a decimal number as a text."
    case .object: "Give the class and the identity of an object."
    case .any, .linkingObjects, nil: "Give another value."
    }
  }
}
