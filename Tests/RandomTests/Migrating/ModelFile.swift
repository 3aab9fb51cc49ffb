import Foundation
import StrataSchema

@testable import Strata

/// A model of the contents of a file, in memory.
struct ModelFile {
  struct Ref: Hashable {
    var className: String
    var row: Int64
  }

  indirect enum Value: Hashable {
    case none
    case scalar(String)
    case link(Ref)
    case list([Value])
    case set(Set<Value>)
    case map([String: Value])
    /// A value that is generated for each object: the model takes the value that is read first.
    case unknown
  }

  struct Table {
    /// In its stored form: properties are called as their columns are.
    var schema: ObjectSchema
    /// The old properties that a migration keeps, and that the new class doesn't have.
    var leftovers: [String: Property] = [:]
    var rows: [Int64: [String: Value]] = [:]

    /// The property whose values are under a key of a row.
    func property(_ key: String) -> Property? {
      leftovers[key] ?? schema.property(column: key)
    }
  }

  var tables: [String: Table] = [:]

  static func leftover(_ column: String) -> String { "leftover " + column }

  func exists(_ ref: Ref) -> Bool { tables[ref.className]?.rows[ref.row] != nil }

  func rows(_ className: String) -> [Int64] {
    (tables[className]?.rows.keys).map { $0.sorted() } ?? []
  }

  subscript(ref: Ref, column: String) -> Value {
    get { tables[ref.className]?.rows[ref.row]?[column] ?? .none }
    set { tables[ref.className]?.rows[ref.row]?[column] = newValue }
  }

  func isEmbedded(_ className: String?) -> Bool {
    className.flatMap { tables[$0]?.schema.isEmbedded } ?? false
  }

  // MARK: Deleting

  /// Deletes an object, what is embedded in it, and all links to these.
  mutating func delete(_ ref: Ref) { delete([ref]) }

  mutating func delete(_ refs: [Ref]) {
    var gone: Set<Ref> = []
    var queue = refs
    while let ref = queue.popLast() {
      guard exists(ref), gone.insert(ref).inserted else { continue }
      for (key, value) in tables[ref.className]?.rows[ref.row] ?? [:] {
        let property = tables[ref.className]?.property(key)
        guard property?.type == .object, isEmbedded(property?.objectClassName) else { continue }
        queue += value.links
      }
      tables[ref.className]?.rows[ref.row] = nil
    }
    if !gone.isEmpty { forget(gone) }
  }

  private mutating func forget(_ gone: Set<Ref>) {
    let embedded = Set(tables.filter { $0.value.schema.isEmbedded }.keys)
    for (name, table) in tables {
      for (row, values) in table.rows {
        for (key, value) in values where value.links.contains(where: { gone.contains($0) }) {
          let property = table.property(key)
          let isAny = property?.type == .any
          let links = isAny ? gone.filter { !embedded.contains($0.className) } : gone
          tables[name]?.rows[row]?[key] = value.without(links, isAny: isAny)
        }
      }
    }
  }

  /// Sets a property; what was embedded there goes.
  mutating func set(_ ref: Ref, _ column: String, _ value: Value) {
    let property = tables[ref.className]?.schema.property(column: column)
    let before = self[ref, column]
    self[ref, column] = value
    guard property?.type == .object, isEmbedded(property?.objectClassName) else { return }
    delete(before.links.filter { !value.links.contains($0) })
  }

  // MARK: Links

  /// How many links lead to each object of a class.
  func incomingLinks(to className: String) -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    for table in tables.values {
      for (key, property) in table.keyed
      where property.type == .object && property.objectClassName == className {
        for values in table.rows.values {
          for ref in values[key]?.links ?? [] { counts[ref.row, default: 0] += 1 }
        }
      }
    }
    return counts
  }

  func hasAnyValue(linkingTo className: String) -> Bool {
    tables.values.contains { table in
      table.keyed.contains { key, property in
        property.type == .any
          && table.rows.values.contains { values in
            (values[key]?.links ?? []).contains { $0.className == className }
          }
      }
    }
  }
}

extension ModelFile.Table {
  /// All properties, by the keys of their values.
  var keyed: [(String, Property)] {
    schema.properties.map { ($0.columnName, $0) } + leftovers.map { ($0.key, $0.value) }
  }
}

extension ModelFile.Value {
  var links: [ModelFile.Ref] {
    switch self {
    case .none, .scalar, .unknown: []
    case .link(let ref): [ref]
    case .list(let values): values.flatMap(\.links)
    case .set(let values): values.flatMap(\.links)
    case .map(let values): values.values.flatMap(\.links)
    }
  }

  fileprivate func without(_ gone: Set<ModelFile.Ref>, isAny: Bool) -> Self {
    func isGone(_ value: Self) -> Bool {
      if case .link(let ref) = value { gone.contains(ref) } else { false }
    }
    return switch self {
    case .link: isGone(self) ? .none : self
    case .list(let values):
      .list(
        isAny
          ? values.map { $0.without(gone, isAny: true) } : values.filter { !isGone($0) })
    case .set(let values): .set(values.filter { !isGone($0) })
    case .map(let values): .map(values.mapValues { $0.without(gone, isAny: isAny) })
    case .none, .scalar, .unknown: self
    }
  }
}
