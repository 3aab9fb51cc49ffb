/// A migration in a history: the changed names, and the classes that consumers must read again.
///
/// All names are names of tables and columns.
package struct HistoryMigration: Sendable, Hashable {
  package var from: UInt64?
  package var to: UInt64
  /// The new names of classes, by their old names.
  package var classes: [String: String] = [:]
  /// The new names of properties, by their old names, by the new name of the class.
  package var properties: [String: [String: String]] = [:]
  package var removedClasses: [String] = []
  /// The removed properties, by the new name of the class.
  package var removedProperties: [String: [String]] = [:]
  /// The number of objects in classes that a closure, a transform or a merge may have changed.
  package var rewritten: [String: Int] = [:]

  package init(from: UInt64?, to: UInt64) {
    self.from = from
    self.to = to
  }

  /// Creates the changes of names from the schemas before and after a migration.
  ///
  /// An item that was renamed to the name of a removed item is not the removed one.
  package init(
    from: UInt64?, to: UInt64, before: Schema, after: Schema, names: ChangedNames
  ) {
    self.init(from: from, to: to)
    classes = names.classes
    properties = names.properties
    let takenClasses = Set(classes.values)
    for old in before.stored.objectSchema {
      let renamed = classes[old.className]
      let name = renamed ?? old.className
      guard renamed != nil || !takenClasses.contains(name), let new = after.stored[name] else {
        removedClasses.append(old.className)
        continue
      }
      let columns = properties[name] ?? [:]
      let taken = Set(columns.values)
      let removed = old.properties.map(\.columnName).filter { column in
        let renamed = columns[column]
        return new.property(column: renamed ?? column) == nil
          || (renamed == nil && taken.contains(column))
      }
      if !removed.isEmpty { removedProperties[name] = removed }
    }
  }
}

extension HistoryMigration {
  /// The migration as JSON.
  package var text: String {
    NestedValue.dictionary(unordered: [
      NestedEntry(key: "from", value: from.map { .integer(Int64(clamping: $0)) } ?? .null),
      NestedEntry(key: "to", value: .integer(Int64(clamping: to))),
      NestedEntry(key: "classes", value: .dictionary(of: classes) { .text($0) }),
      NestedEntry(
        key: "properties",
        value: .dictionary(of: properties) { .dictionary(of: $0) { .text($0) } }),
      NestedEntry(key: "removedClasses", value: .list(of: removedClasses)),
      NestedEntry(
        key: "removedProperties", value: .dictionary(of: removedProperties) { .list(of: $0) }),
      NestedEntry(
        key: "rewritten", value: .dictionary(of: rewritten) { .integer(Int64($0)) }),
    ]).text
  }

  /// Reads ``text``; nil for another text.
  package init?(_ text: String) {
    guard let value = NestedValue(readable: text),
      let to = value.member("to")?.number.flatMap(UInt64.init(exactly:)),
      let classes = value.member("classes")?.members({ $0.string }),
      let properties = value.member("properties")?.members({ $0.members { $0.string } }),
      let removedClasses = value.member("removedClasses")?.strings,
      let removedProperties = value.member("removedProperties")?.members({ $0.strings }),
      let rewritten = value.member("rewritten")?.members({ $0.number })
    else { return nil }
    self.init(from: value.member("from")?.number.flatMap(UInt64.init(exactly:)), to: to)
    self.classes = classes
    self.properties = properties
    self.removedClasses = removedClasses
    self.removedProperties = removedProperties
    self.rewritten = rewritten.mapValues { Int(clamping: $0) }
  }
}

/// The present names of the classes and properties in older entries.
package struct HistoryNames: Sendable {
  private let migrations: [(position: Int64, migration: HistoryMigration)]

  /// - Parameter migrations: The migrations with the positions of their entries, ascending.
  package init(_ migrations: [(position: Int64, migration: HistoryMigration)]) {
    self.migrations = migrations
  }

  /// Whether a class of an entry was removed since. Another class may have its name now.
  package func isGone(_ name: String, at position: Int64) -> Bool {
    last(name, at: position).isGone
  }

  /// Returns the present name of a class of an entry. A removed class keeps its last name.
  package func className(_ name: String, at position: Int64) -> String {
    last(name, at: position).name
  }

  private func last(_ name: String, at position: Int64) -> (name: String, isGone: Bool) {
    var name = name
    for (place, migration) in migrations where place > position {
      if migration.removedClasses.contains(name) { return (name, true) }
      name = migration.classes[name] ?? name
    }
    return (name, false)
  }

  /// Returns the present column of a property of an entry; nil if it was removed.
  ///
  /// - Parameter className: The name of the class in the entry.
  package func column(_ column: String, of className: String, at position: Int64) -> String? {
    var (name, column) = (className, column)
    for (place, migration) in migrations where place > position {
      if migration.removedClasses.contains(name) { break }
      name = migration.classes[name] ?? name
      if migration.removedProperties[name]?.contains(column) == true { return nil }
      column = migration.properties[name]?[column] ?? column
    }
    return column
  }
}
