package import GRDB
package import StrataSchema

/// An object that differs between two files. Its key is the primary key, or the identity if its
/// class has no primary key.
package struct DataDifference: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Only the first file has it.
    case removed
    /// Only the second file has it.
    case added
    /// Both have it, and these properties differ.
    case changed([PropertyDifference])
  }

  package struct PropertyDifference: Hashable, Sendable {
    package var name: String
    /// Extended JSON, in the format of the file.
    package var from: String
    package var to: String
  }

  package var className: String
  package var key: NestedValue
  package var change: Change
}

/// A comparison of the objects of two files, with constant memory: both are read side by side, in
/// the order of their keys.
package struct DataComparison {
  private let first: Side
  private let second: Side

  /// One of the files: its schema, and a connection to one committed state.
  package struct Side {
    fileprivate let schema: StudioSchema
    fileprivate let db: Database

    package init(_ schema: StudioSchema, _ db: Database) {
      self.schema = schema
      self.db = db
    }
  }

  package init(_ first: Side, _ second: Side) {
    self.first = first
    self.second = second
  }

  /// Calls a closure with each different object of a class that both files have.
  ///
  /// Ignores properties that only one file has, or whose types differ. Skips a class if its primary
  /// keys have different names or types: those are differences of the schemas.
  /// - Returns: The number of differences; nil if the class can't be compared.
  package func forEach(
    in className: String, _ body: (DataDifference) throws -> Void
  ) throws -> Int? {
    guard let old = first.schema.schema[className], let new = second.schema.schema[className],
      old.primaryKey == new.primaryKey, old.primaryKeyProperty?.type == new.primaryKeyProperty?.type
    else { return nil }
    let common = old.properties.filter { new[$0.name]?.typeName == $0.typeName }
    let names = common.map(\.name)
    var (left, right) = (try Walk(first, old, names), try Walk(second, new, names))
    var count = 0
    func report(_ key: NestedValue, _ change: DataDifference.Change) throws {
      count += 1
      try body(DataDifference(className: className, key: key, change: change))
    }
    while true {
      switch (left.current, right.current) {
      case (nil, nil): return count
      case (let object?, nil):
        try report(object.key, .removed)
        try left.advance()
      case (nil, let object?):
        try report(object.key, .added)
        try right.advance()
      case (let one?, let other?):
        if one.key.isSame(as: other.key) {
          let changes = zip(common, zip(one.object.values, other.object.values))
            .compactMap { property, values in
              let (old, new) = (
                one.object.comparable(values.0, of: property),
                other.object.comparable(values.1, of: property)
              )
              return old.isSame(as: new, one.object.keys, other.object.keys)
                ? nil
                : DataDifference.PropertyDifference(
                  name: property.name, from: one.object.text(of: values.0),
                  to: other.object.text(of: values.1))
            }
          if !changes.isEmpty { try report(one.key, .changed(changes)) }
          try left.advance()
          try right.advance()
        } else if one.key.isSorted(before: other.key) {
          try report(one.key, .removed)
          try left.advance()
        } else {
          try report(other.key, .added)
          try right.advance()
        }
      }
    }
  }

  /// A cursor over the objects of a class, in the order of their keys.
  private struct Walk {
    private let cursor: ExportCursor
    private let key: Property?
    private(set) var current: (key: NestedValue, object: ExportedObject)?

    init(_ side: Side, _ objectSchema: ObjectSchema, _ names: [String]) throws {
      key = objectSchema.primaryKeyProperty
      let columns = (key.map { [$0.name] } ?? []) + names
      let reader = try ExportReader(
        objectSchema.className, columns, side.schema, side.db, holdsEmbedded: false)
      let sort = key.map { [Question.SortKey($0.name, ascending: true)] } ?? []
      cursor = try reader.cursor(Question(objectSchema.className, sort: sort))
      try advance()
    }

    mutating func advance() throws {
      current = try cursor.next().map { object in
        guard key != nil else { return (.value(.integer(object.identity), .int), object) }
        var object = object
        return (object.values.removeFirst(), object)
      }
    }
  }
}

extension ExportedObject {
  /// A value of a property to compare: the elements of a set are in the order of their texts, since
  /// SQLite's order depends on the identities of linked objects.
  fileprivate func comparable(_ value: NestedValue, of property: Property) -> NestedValue {
    guard property.collection == .set, case .list(let items) = value else { return value }
    let texts = items.map { (text: text(of: $0), item: $0) }
    return .list(texts.sorted { SQLName.precedes($0.text, $1.text) }.map(\.item))
  }
}

extension NestedValue {
  /// Whether two values are equal. Linked objects are equal if
  /// they have the same primary key, or the same identity if their class has no primary key.
  fileprivate func isSame(
    as other: NestedValue, _ keys: [ObjectLink: NestedValue] = [:],
    _ otherKeys: [ObjectLink: NestedValue] = [:]
  ) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.value(.real(let first), let type), .value(.real(let second), let otherType)):
      return type == otherType && (first == second || first.isNaN && second.isNaN)
    case (.value(let first, let type), .value(let second, let otherType)):
      return type == otherType && first == second
    case (.link(let name, let row), .link(let otherName, let otherRow)):
      let key = keys[ObjectLink(className: name, identity: row)]
      let otherKey = otherKeys[ObjectLink(className: otherName, identity: otherRow)]
      guard name == otherName else { return false }
      guard let key, let otherKey else { return key == nil && otherKey == nil && row == otherRow }
      return key.isSame(as: otherKey)
    case (.list(let items), .list(let others)):
      return items.count == others.count
        && zip(items, others).allSatisfy { $0.isSame(as: $1, keys, otherKeys) }
    case (.dictionary(let entries), .dictionary(let others)):
      return entries.count == others.count
        && zip(entries, others).allSatisfy { entry, other in
          StoredText(entry.key) == StoredText(other.key)
            && entry.value.isSame(as: other.value, keys, otherKeys)
        }
    default: return false
    }
  }

  /// Whether SQLite sorts the key before another one.
  fileprivate func isSorted(before other: NestedValue) -> Bool {
    switch (stored, other.stored) {
    case (.null, _): true
    case (_, .null): false
    case (.integer(let first), .integer(let second)): first < second
    case (.text(let first), .text(let second)): SQLName.precedes(first, second)
    default: false
    }
  }
}
