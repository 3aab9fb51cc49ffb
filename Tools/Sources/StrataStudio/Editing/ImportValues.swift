import Foundation
import Strata
import StrataSchema
import StrataStorage

/// A converter of imported values, as people or programs write them, to the form that a file of
/// Strata has.
struct ImportValues {
  let schema: StudioSchema
  let keys: ImportedKeys
  let links: ImportLinks

  /// A problem in one cell, as a sentence.
  struct Mistake: Error {
    let message: String
  }

  /// The error for a link to an object that may come later in the input.
  struct Later: Error {}

  /// The value of a property; nil to keep the default of a new object.
  ///
  /// - Throws: ``Mistake``.
  func value(_ cell: ImportCell, _ place: Place) throws -> NewValue? {
    let property = place.single
    if let target = property.objectClassName.flatMap({ schema.schema[$0] }), target.isEmbedded,
      let embedded = try embedded(cell, target)
    {
      return .embedded(embedded)
    }
    switch cell {
    case .missing: return nil
    case .empty where !property.isNullable && property.type == .string:
      return .stored(_StoredElement(.text("")))
    case .empty, .value(.null):
      if property.isNullable { return .stored(.null) }
      throw Mistake(message: "It can't be nil.")
    case .text(let text): return .stored(try stored(text, property))
    case .value(let value): return .stored(try stored(value, property))
    }
  }

  /// The elements of a collection, with keys in a map; nil to leave the collection as it is.
  func elements(
    _ cell: ImportCell, _ place: Place
  ) throws -> [(key: String, value: NewValue)]? {
    let value: NestedValue
    switch cell {
    case .missing: return nil
    case .empty, .value(.null): return []
    case .value(let given): value = given
    case .text(let text):
      value = try json(text)
    }
    let entries: [NestedEntry]
    switch (place.property.collection, value) {
    case (.map, .dictionary(let found)): entries = found
    case (.list, .list(let items)), (.set, .list(let items)):
      entries = items.map { NestedEntry(key: "", value: $0) }
    default:
      let kind = place.property.collection == .map ? "object" : "array"
      throw Mistake(message: "\(Self.shown(Self.text(value))) is no \(kind) of JSON.")
    }
    let canBeNil = place.property.type != .object || place.table?.isNullable == true
    return try entries.map { entry in
      guard canBeNil || entry.value != .null else { throw Mistake(message: "It can't be nil.") }
      guard let value = try self.value(.value(entry.value), place) else {
        throw Mistake(message: "It has an element that is missing.")
      }
      return (entry.key, value)
    }
  }

  private func json(_ text: String) throws(Mistake) -> NestedValue {
    do throws(JSONProblem) {
      return try keys.value(text)
    } catch {
      throw Mistake(
        message: "\(Self.shown(text)) is no JSON: byte \(error.offset) should be \(error.expected)."
      )
    }
  }

  // MARK: Embedded objects

  /// A new embedded object from a JSON object; nil for no object.
  private func embedded(_ cell: ImportCell, _ table: ObjectSchema) throws -> Draft? {
    let value: NestedValue
    switch cell {
    case .missing, .empty, .value(.null): return nil
    case .value(let given): value = given
    case .text(let text): value = try json(text)
    }
    guard case .dictionary(let entries) = value else {
      throw Mistake(
        message: "\(Self.shown(Self.text(value))) isn't a JSON object, which "
          + "'\(PlainText.of(table.className))' is read from.")
    }
    var draft = Draft(className: table.className)
    for entry in entries {
      guard let property = table[named: entry.key] else {
        throw Mistake(
          message: "'\(PlainText.of(table.className))' has no property "
            + "'\(PlainText.of(entry.key))'.")
      }
      do {
        try read(.value(entry.value), of: property, into: &draft)
      } catch let mistake as Mistake {
        throw Mistake(message: "'\(PlainText.of(entry.key))': \(mistake.message)")
      }
    }
    return draft
  }

  /// Adds the value of a cell to a draft. A missing value adds nothing.
  ///
  /// - Throws: ``Mistake``, ``Later``.
  func read(_ cell: ImportCell, of property: Property, into draft: inout Draft) throws {
    let place = Place(
      object: ObjectLink(className: draft.className, identity: 0), property: property)
    if property.collection != nil {
      guard let elements = try elements(cell, place) else { return }
      draft.collections.append(DraftCollection(property: property, elements: elements))
    } else if let value = try value(cell, place) {
      draft.values.append(DraftValue(property: property, value: value))
    }
  }

  // MARK: Single values

  /// A key in its stored form.
  func key(_ cell: ImportCell, _ property: Property) throws -> StoredValue? {
    switch cell {
    case .missing, .empty, .value(.null): nil
    case .text(let text): try stored(text, property).value
    case .value(let value): try stored(value, property).value
    }
  }

  private func stored(_ text: String, _ property: Property) throws -> _StoredElement {
    if property.type == .object { return try link(.text(text), property) }
    if property.type == .any { return try any(CSVCell.value(text, json: keys.value)) }
    guard let stored = Self.stored(text, property.type) else { throw wrong(text, property) }
    return _StoredElement(stored)
  }

  private static func stored(_ text: String, _ type: PropertyType) -> StoredValue? {
    switch type {
    case .int: Int64(text).map { .integer($0) }
    case .bool:
      switch text.lowercased() {
      case "true", "yes", "1": .integer(1)
      case "false", "no", "0": .integer(0)
      default: nil
      }
    case .float, .double:
      Double(text).flatMap { ValueParser.stored(.number($0), type) }
    case .data: Base64.decode(Array(text.utf8)).map { .blob($0) }
    case .date: date(text)
    default: ValueParser.stored(.text(text), type)
    }
  }

  /// A date in the format of the file, or in ISO 8601.
  private static func date(_ text: String) -> StoredValue? {
    if let stored = ValueParser.stored(.text(text), .date) { return stored }
    for style in [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      Date.ISO8601FormatStyle().year().month().day(),
    ] {
      do {
        return try style.parse(text)._stored
      } catch {
        // The next format may match.
        continue
      }
    }
    return nil
  }

  private func stored(_ value: NestedValue, _ property: Property) throws -> _StoredElement {
    if case .value(.real(let number), _) = value, number.isNaN { throw wrong("NaN", property) }
    if property.type == .any { return try any(value) }
    let value = try Self.normal(value)
    switch (property.type, value) {
    case (.object, .link(let className, let row)) where className == property.objectClassName:
      return _StoredElement(.integer(try self.row(className, row)))
    case (.object, .value): return try link(.value(value), property)
    case (let type, .value(let stored, let given)) where type == given:
      return _StoredElement(stored)
    case (.double, .value(.integer(let number), .int)):
      return _StoredElement(.real(Double(number)))
    case (.float, .value(.integer(let number), .int)):
      return _StoredElement(.real(Double(Float(number))))
    case (.float, .value(.real(let number), .double)):
      guard let stored = ValueParser.stored(.number(number), .float) else {
        throw wrong("\(number)", property)
      }
      return _StoredElement(stored)
    case (let type, .value(.text(let text), .string)) where type != .int && type != .bool:
      return try self.stored(text, property)
    default: throw wrong(Self.text(value), property)
    }
  }

  private func any(_ value: NestedValue) throws -> _StoredElement {
    guard value.levels <= NestedValue.maxLevels else {
      throw Mistake(
        message: "It has more than \(NestedValue.maxLevels) collections inside of each other.")
    }
    let normal = try resolved(try Self.normal(value))
    return _StoredElement(normal.stored, type: normal.typeName)
  }

  /// The value with the identities of the linked objects in this file.
  private func resolved(_ value: NestedValue) throws -> NestedValue {
    switch value {
    case .null, .value: return value
    case .link(let className, let row):
      return .link(className: className, row: try self.row(className, row))
    case .list(let items): return .list(try items.map(resolved))
    case .dictionary(let entries):
      return .dictionary(
        try entries.map { NestedEntry(key: $0.key, value: try resolved($0.value)) })
    }
  }

  private func row(_ className: String, _ row: Int64) throws -> Int64 {
    let target = keys.target(className: className, row: row)
    guard let found = try find(target) else {
      switch target {
      case .identity:
        throw Mistake(message: "There is no object \(row) of '\(PlainText.of(className))'.")
      case .key(_, let key):
        let shown = Self.shown(Self.text(.value(key, .string)))
        throw Mistake(message: "There is no \(PlainText.of(className)) with the key \(shown).")
      }
    }
    return found
  }

  /// - Throws: ``Later``.
  private func find(_ target: ImportTarget) throws -> Int64? {
    switch try links.find(target) {
    case .row(let row): row
    case .later: throw Later()
    case .missing: nil
    }
  }

  private static func normal(_ value: NestedValue) throws(Mistake) -> NestedValue {
    do throws(NestedValue.Misfit) {
      return try value.normal()
    } catch {
      throw Mistake(
        message: "\(shown(error.text)) is no \(error.type.swiftName ?? error.type.rawValue).")
    }
  }

  /// The object with a key.
  private func link(_ cell: ImportCell, _ property: Property) throws -> _StoredElement {
    guard let target = property.objectClassName.flatMap({ schema.schema[$0] }) else {
      throw Mistake(message: "Its class isn't there.")
    }
    let identity = Property(name: target.identityColumn, type: .int)
    let keyProperty = target.primaryKeyProperty ?? identity
    let key = try key(cell, keyProperty)
    let wanted = key.map { ImportTarget(key: $0, of: target) }
    guard let wanted, let found = try find(wanted) else {
      let shown =
        switch cell {
        case .text(let text): Self.shown(text)
        case .value(let value): Self.shown(Self.text(value))
        case .empty, .missing: "nil"
        }
      throw Mistake(
        message: "There is no \(PlainText.of(target.className)) with the "
          + "\(target.primaryKeyProperty == nil ? "identity" : "key") \(shown).")
    }
    return _StoredElement(.integer(found))
  }

  // MARK: Sentences

  /// A value as text in a message; a string has no quotation marks.
  private static func text(_ value: NestedValue) -> String {
    if case .value(.text(let text), _) = value { text } else { value.text }
  }

  private static func shown(_ text: String) -> String { JSONValue.text(text).shown }

  private func wrong(_ text: String, _ property: Property) -> Mistake {
    let name = property.type.swiftName ?? PlainText.of(property.objectClassName ?? "")
    return Mistake(message: "\(Self.shown(text)) is no \(name).")
  }
}
