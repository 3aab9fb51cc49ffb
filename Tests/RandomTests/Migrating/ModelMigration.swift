import Foundation
import StrataSchema

@testable import Strata

/// A migration by its rules, without a database.
struct ModelMigration {
  typealias Ref = ModelFile.Ref
  typealias Value = ModelFile.Value

  /// The expected failure of the migration, with a part of the message.
  struct Failure: Error {
    var text: String
  }

  let old: ModelFile
  /// The new file, as far as the block has run.
  var new: ModelFile
  let target: [String: ClassInfo]
  /// How embedded objects get one parent each.
  private var choices: [String: (orphans: Bool, shared: Bool)] = [:]
  /// Names that renames gave, and that must not be there at the end.
  private var inventedNames: [(className: String, column: String)] = []
  private var nextCopy: Int64 = -1

  init(_ old: ModelFile, to types: [ObjectBase.Type]) throws {
    self.old = old
    new = old
    var target: [String: ClassInfo] = [:]
    for type in types { target[type.className()] = try ClassInfo.of(type) }
    self.target = target
    for (name, info) in target { addColumns(name, info) }
  }

  func isVisible(_ className: String?) -> Bool { className.map { target[$0] != nil } ?? false }

  /// Whether a class is embedded at this moment; what becomes embedded does so after the block.
  func isEmbedded(_ className: String?) -> Bool { new.isEmbedded(className) }

  private mutating func addColumns(_ name: String, _ info: ClassInfo) {
    let schema = info.objectSchema.stored
    guard var table = new.tables[name] else {
      new.tables[name] = ModelFile.Table(schema: schema)
      return
    }
    let before = table.schema
    table.schema = schema
    table.schema.isEmbedded = before.isEmbedded
    for property in before.properties {
      // A collection and a value of the same name are beside each other.
      let wanted = schema.property(column: property.columnName)
      if wanted?.isStoredInColumn == property.isStoredInColumn { continue }
      let key = ModelFile.leftover(property.columnName)
      table.leftovers[key] = property
      for row in table.rows.keys {
        let value = table.rows[row]?.removeValue(forKey: property.columnName)
        table.rows[row]?[key] = value
      }
    }
    for property in schema.properties {
      let column = property.columnName
      let source = before.property(column: column)
      let initial = initialValue(property, info)
      for row in table.rows.keys {
        let value = table.rows[row]?[column]
        table.rows[row]?[column] = Self.migrated(value, source, property, else: initial)
      }
    }
    new.tables[name] = table
  }

  private static func migrated(
    _ value: Value?, _ old: Property?, _ new: Property, else initial: Value
  ) -> Value {
    guard let value, let old, old.typeName == new.typeName else { return initial }
    guard old.isNullable, !new.isNullable else { return value }
    let zero = Value.zero(new)
    return switch value {
    case Value.none: initial
    case .list(let values): .list(values.map { $0 == .none ? zero : $0 })
    case .set(let values): .set(Set(values.map { $0 == .none ? zero : $0 }))
    case .map(let values): .map(values.mapValues { $0 == .none ? zero : $0 })
    case .scalar, .link, .unknown: value
    }
  }

  /// The initial value of a new property in an old object: the default of the class, but no
  /// generated identity.
  private func initialValue(_ property: Property, _ info: ClassInfo) -> Value {
    guard property.collection == nil, !property.isNullable else { return .empty(property) }
    if property.type == .UUID || property.type == .objectId {
      return info.hasDefault(property) ? .unknown : .zero(property)
    }
    return createdValue(property, info)
  }

  /// The initial value of a property in a new object.
  func createdValue(_ property: Property, _ info: ClassInfo) -> Value {
    guard property.collection == nil, !property.isNullable else { return .empty(property) }
    if property.type == .UUID || property.type == .objectId { return .unknown }
    let name = info.properties.first { $0.columnName == property.columnName }?.name ?? ""
    return Value(info.type.init()[name], property)
  }

  // MARK: What a block does

  /// The rows that a loop goes through.
  func rowsToEnumerate(_ className: String) -> [Int64] {
    old.tables[className] != nil ? old.rows(className) : new.rows(className)
  }

  mutating func insert(_ className: String, row: Int64, _ values: [String: Value]) {
    guard let info = target[className], let table = new.tables[className] else { return }
    var all: [String: Value] = [:]
    for property in table.schema.properties {
      all[property.columnName] = values[property.columnName] ?? createdValue(property, info)
    }
    for (key, property) in table.leftovers { all[key] = .empty(property) }
    new.tables[className]?.rows[row] = all
  }

  func checkCanCreate(_ className: String) throws {
    guard isVisible(className) else { throw Failure(text: "is not managed by the Realm") }
    if isEmbedded(className), target[className]?.isEmbedded == true {
      throw Failure(text: "Embedded objects cannot be created directly")
    }
  }

  mutating func deleteData(_ className: String) -> Bool {
    guard let table = new.tables[className] else { return false }
    new.delete(table.rows.keys.map { Ref(className: className, row: $0) })
    guard !isVisible(className) else { return true }
    new.tables[className] = nil
    for (name, table) in new.tables {
      for (key, property) in table.keyed
      where property.type == .object && property.objectClassName == className {
        new.tables[name]?.leftovers[key] = nil
        new.tables[name]?.schema.properties.removeAll { $0.columnName == key }
        for row in table.rows.keys { new.tables[name]?.rows[row]?[key] = nil }
      }
    }
    return true
  }

  mutating func rename(_ className: String, from: String, to: String) throws {
    guard let table = new.tables[className] else {
      throw Failure(text: "because it does not exist")
    }
    guard let info = target[className] else {
      throw Failure(text: "because it has been removed from the Realm")
    }
    let schema = info.objectSchema.stored
    guard schema.property(column: from) == nil else {
      throw Failure(text: "because the source property still exists")
    }
    let source = ModelFile.leftover(from)
    guard let property = table.leftovers[source] else {
      throw Failure(text: "because it does not exist")
    }
    let wanted = schema.property(column: to)
    let destination = wanted == nil ? ModelFile.leftover(to) : to
    if let there = wanted ?? table.leftovers[destination] {
      guard there.typeName == property.typeName else { throw Failure(text: "would change from") }
      if property.isNullable, !there.isNullable {
        throw Failure(text: "from optional to required")
      }
    }
    if wanted == nil {
      var renamed = property
      renamed.name = to
      renamed.columnName = to
      new.tables[className]?.leftovers[destination] = renamed
      inventedNames.append((className, to))
    }
    new.tables[className]?.leftovers[source] = nil
    for row in table.rows.keys {
      let value = new.tables[className]?.rows[row]?.removeValue(forKey: source)
      new.tables[className]?.rows[row]?[destination] = value ?? Value.none
    }
  }

  mutating func embed(_ className: String, orphans: Bool, shared: Bool) throws {
    guard target[className]?.isEmbedded == true, let before = old.tables[className],
      !before.schema.isEmbedded
    else { throw Failure(text: "does not become an embedded class") }
    choices[className] = (orphans, shared)
  }

  // MARK: After the block

  mutating func finish() throws {
    for (name, column) in inventedNames
    where new.tables[name]?.leftovers[ModelFile.leftover(column)] != nil
      && old.tables[name]?.schema.property(column: column) == nil
    {
      throw Failure(text: "Renamed property")
    }
    for (name, info) in target {
      for key in new.tables[name]?.leftovers.keys.sorted() ?? [] {
        new.tables[name]?.leftovers[key] = nil
        for row in new.rows(name) { new.tables[name]?.rows[row]?[key] = nil }
      }
      new.tables[name]?.schema = info.objectSchema.stored
    }
    for (name, info) in target where info.isEmbedded {
      guard let before = old.tables[name] else { continue }
      if before.schema.isEmbedded {
        if losesParents(name) { deleteOrphans(name) }
      } else {
        try embed(name)
      }
    }
    for (name, before) in old.tables where before.schema.isEmbedded && target[name] == nil {
      if losesParents(name) { deleteOrphans(name) }
    }
    for name in target.keys { try checkKeys(name) }
  }

  private mutating func embed(_ name: String) throws {
    if new.hasAnyValue(linkingTo: name) { throw Failure(text: "from the Mixed property") }
    let links = new.incomingLinks(to: name)
    if new.rows(name).contains(where: { links[$0] == nil }) {
      guard choices[name]?.orphans == true else { throw Failure(text: "no incoming links") }
      deleteOrphans(name)
    }
    let shared = links.filter { $0.value > 1 && new.exists(Ref(className: name, row: $0.key)) }
    if !shared.isEmpty {
      guard choices[name]?.shared == true else {
        throw Failure(text: "more than one incoming link")
      }
      for (row, count) in shared {
        // Which parent keeps the object does not show: all have equal ones.
        let values = new.tables[name]?.rows[row]
        for _ in 1..<count {
          new.tables[name]?.rows[nextCopy] = values
          nextCopy -= 1
        }
      }
    }
  }

  private mutating func deleteOrphans(_ name: String) {
    let links = new.incomingLinks(to: name)
    let orphans = new.rows(name).filter { links[$0] == nil }
    new.delete(orphans.map { Ref(className: name, row: $0) })
  }

  /// Whether a property that had objects of an embedded class has gone, or holds something else.
  private func losesParents(_ child: String) -> Bool {
    target.contains { name, info in
      let schema = info.objectSchema.stored
      return (old.tables[name]?.schema.properties ?? []).contains { property in
        property.type == .object && property.objectClassName == child
          && schema.property(column: property.columnName)?.typeName != property.typeName
      }
    }
  }

  private func checkKeys(_ name: String) throws {
    guard let key = new.tables[name]?.schema.primaryKey else { return }
    let values = new.rows(name).compactMap { new.tables[name]?.rows[$0]?[key] }.filter {
      $0 != Value.unknown
    }
    if Set(values).count != values.count { throw Failure(text: "has duplicate values") }
  }
}

extension ClassInfo {
  func hasDefault(_ property: Property) -> Bool {
    properties.firstIndex { $0.columnName == property.columnName }.map { hasDefault[$0] } ?? false
  }
}
