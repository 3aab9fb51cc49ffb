import GRDB
import StrataSchema
import StrataStorage

/// The source of one object: its own columns and collections, or the given key paths.
struct ObjectSource: ObservationSource {
  let table: Table
  let row: Int64
  /// The parts that are reported separately, each with its observed objects; nil for all
  /// properties.
  let parts: [Part]?

  struct Part: Sendable {
    var name: PartName
    var objects: ChangedObjects
  }

  /// The name of a part for its observer.
  enum PartName: Sendable, Hashable {
    /// The first property of the key paths.
    case property(_PropertySlot)
    /// The position of the part in the observer's list.
    case number(Int)
  }

  /// Creates a source whose parts are numbered by position.
  init(
    _ table: Table, row: Int64, _ tableSet: TableSet, parts: [[String]]
  ) throws(RealmError) {
    self.table = table
    self.row = row
    var made: [Part] = []
    for (number, keyPaths) in parts.enumerated() {
      let objects = try ChangedObjects(tableSet, table.info.className, keyPaths: keyPaths)
      made.append(Part(name: .number(number), objects: objects))
    }
    self.parts = made
  }

  /// Creates a source with one part per property.
  init(
    _ table: Table, row: Int64, _ tableSet: TableSet, keyPaths: [String]?
  ) throws(RealmError) {
    self.table = table
    self.row = row
    guard let keyPaths else {
      parts = nil
      return
    }
    let className = table.info.className
    // Checks all paths first, so that an error names a path of the caller.
    _ = try ChangedObjects(tableSet, className, keyPaths: keyPaths)
    var parts: [Part] = []
    for slot in table.info.properties.indices {
      let name = table.info.properties[slot].name
      let paths = keyPaths.compactMap { Self.path($0, through: name) }
      guard !paths.isEmpty else { continue }
      parts.append(
        Part(
          name: .property(slot),
          objects: try ChangedObjects(tableSet, className, keyPaths: paths)))
    }
    self.parts = parts
  }

  /// Returns the path with a leading `*` replaced by a name; nil if the path begins with another
  /// property.
  private static func path(_ keyPath: String, through name: String) -> String? {
    let first = keyPath.prefix { $0 != "." }
    guard first == name || first == "*" else { return nil }
    return name + keyPath.dropFirst(first.count)
  }

  var key: String {
    let parts = parts?.map { "\($0.name) \($0.objects.key)" }.joined(separator: "\n")
    return "object \(table.info.className) \(row) \(parts ?? "*")"
  }
  var regions: [ChangedObjects] { parts?.map(\.objects) ?? [] }
  var classesWithProperties: Set<String> { [table.info.className] }
  var list: CollectionKey? { nil }
  var tables: Set<String> {
    Set(table.collections.values.map(\.tableName)).union([table.info.className])
  }

  func state(_ db: Database) throws -> SourceState {
    .object(try table.values(of: row, db))
  }

  func change(
    from state: SourceState, _ changes: CommitChanges, _ db: Database
  ) throws -> (state: SourceState, change: SourceChange?) {
    guard case .object(let before?) = state else { return (state, nil) }
    let isTouched = changes.rows(of: table.info.className).contains(row)
    let after = isTouched ? try table.values(of: row, db) : before
    guard let after else { return (.object(nil), .deleted) }
    let changed =
      parts.map { parts in
        parts.filter { changes.reached($0.objects).contains(row) }.map(\.name)
      } ?? ownSlots(changes, before, after).map { .property($0) }
    guard !changed.isEmpty else { return (.object(after), nil) }
    return (.object(after), .properties(changed, old: before, new: after))
  }

  /// Returns the properties that were set or differ, in the order of declaration.
  private func ownSlots(
    _ changes: CommitChanges, _ before: [StoredValue], _ after: [StoredValue]
  ) -> [_PropertySlot] {
    let set = changes.properties[table.info.className]?[row] ?? PropertySet()
    let differing = Set(table.slots(where: before, differFrom: after))
    return table.info.properties.indices.filter { slot in
      if let collection = table.collections[slot] {
        return changes.touches(CollectionKey(table: collection.tableName, owner: row))
      }
      guard !table.info.slots.columns(of: slot).isEmpty else { return false }
      return !set.isAll && set.contains(slot) || differing.contains(slot)
    }
  }
}
