import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// The objects of a class that changed, themselves or through what they lead to.
struct ChangedObjects: Sendable {
  private let region: ObservedRegion
  /// Regions with the same key are the same.
  let key: String

  /// - Parameter keyPaths: What counts; nil for everything that is reached over three links.
  /// - Throws: ``RealmError`` with code `fail` for a key path that leads nowhere.
  init(
    _ tableSet: TableSet, _ className: String, keyPaths: [String]?, depth: Int = 3
  ) throws(RealmError) {
    do {
      region = try ObservedRegion(
        tableSet.declared, className, keyPaths: keyPaths, depth: depth)
    } catch {
      throw RealmError(.fail, error.message)
    }
    key = "\(className) \(depth) \(keyPaths?.sorted().joined(separator: "\n") ?? "*")"
  }

  /// The classes of which only some properties count.
  var classesWithProperties: Set<String> {
    Set(region.sources.filter { $0.counted != nil }.map(\.className))
  }

  var tables: Set<String> { region.tables }

  /// The objects that changed between two snapshots.
  ///
  /// - Parameter changes: What changed between these.
  func rows(_ changes: CommitChanges, _ old: Database, _ new: Database) throws -> RowSet {
    let found = try region.reached { source in
      touched(source, changes)
    } owners: { way, rows in
      var owners: [Int64] = []
      for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
        let some = rows[start..<min(start + Self.rowsAtOnce, rows.count)]
        let sql = way.sql(count: some.count)
        let parameters = some.map { StoredValue.integer($0) }
        owners += try new.integers(sql, parameters)
        if way.readsOldState { owners += try old.integers(sql, parameters) }
      }
      return owners
    }
    var rows = RowSet()
    for row in found { rows.insert(row) }
    return rows
  }

  /// SQLite allows 32,766 parameters; a statement of many is compiled each time.
  private static let rowsAtOnce = 1_000

  private func touched(_ source: ObservedRegion.Source, _ changes: CommitChanges) -> [Int64] {
    var rows = Set(source.collections.flatMap { changes.rows(of: $0.name).members })
    let own = changes.rows(of: source.className)
    guard let counted = source.counted else {
      rows.formUnion(own.members)
      return Array(rows)
    }
    let mask = counted.reduce(UInt64(0)) { mask, property in
      let slot = source.schema.properties.firstIndex { $0.name == property.name }
      return slot.map { mask | WatchedValues.bit($0) } ?? mask
    }
    let properties = changes.properties[source.className] ?? [:]
    rows.formUnion(
      own.members.filter { row in
        let changed = properties[row] ?? .max
        // All bits: the object came or went.
        return changed & mask != 0 || changed == .max
      })
    return Array(rows)
  }
}
