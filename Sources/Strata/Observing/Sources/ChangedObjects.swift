import StrataQuery
import StrataSchema
import StrataStorage

/// The objects of a class that changed, themselves or through what they lead to.
struct ChangedObjects: Sendable {
  private let region: ObservedRegion
  /// The sources of the region, in its order.
  private let sources: [Source]
  /// The positions of those whose objects lead to others.
  private let leading: [Int]
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
    sources = region.sources.map { Source($0, tableSet[$0.className]) }
    leading = region.sources.indices.filter { [region] in region.hasWaysBack(from: $0) }
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
  func rows(_ changes: CommitChanges, _ old: Snapshot, _ new: Snapshot) throws -> RowSet {
    let touched = sources.map { $0.touched(changes) }
    // The snapshots need not be read where touched objects lead to no others.
    guard leading.contains(where: { !touched[$0].isEmpty }) else { return touched[0] }
    let found = try region.reached { position in
      touched[position].members
    } owners: { way, rows in
      let known = BoundIdentities(rows)
      let sql = way.sql(known)
      var owners = try new.read { try $0.integers(sql, [known.parameter]) }
      if way.readsOldState { owners += try old.read { try $0.integers(sql, [known.parameter]) } }
      return owners
    }
    return RowSet(found)
  }

  /// A source of the region, as it is compared with what commits touched.
  private struct Source {
    let className: String
    /// The tables of the collections whose changes count.
    let collections: [String]
    /// The properties whose changes count; nil for all.
    let counted: PropertySet?

    init(_ source: ObservedRegion.Source, _ table: Table?) {
      className = source.className
      collections = source.collections.map(\.name)
      counted = source.counted.map { counted in
        PropertySet(counted.compactMap { table?.info.slot($0.name) })
      }
    }

    func touched(_ changes: CommitChanges) -> RowSet {
      var rows = own(changes)
      for collection in collections { rows.formUnion(changes.rows(of: collection)) }
      return rows
    }

    private func own(_ changes: CommitChanges) -> RowSet {
      let own = changes.rows(of: className)
      guard let counted else { return own }
      let properties = changes.properties[className] ?? [:]
      return RowSet(
        own.members.filter { row in
          // An object that came or went counts in any case.
          guard let changed = properties[row], !changed.isAll else { return true }
          return changed.intersects(counted)
        })
    }
  }
}
