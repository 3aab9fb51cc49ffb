import StrataQuery
import StrataSchema
import StrataStorage

/// The objects of a class that changed, themselves or through their links.
struct ChangedObjects: Sendable {
  private let region: ObservedRegion
  /// The sources of the region, in its order.
  private let sources: [Source]
  /// The positions of the sources whose objects other objects of the region link to.
  private let leading: [Int]
  /// The key that equal regions share.
  let key: String

  /// Creates the observed region of a class.
  ///
  /// - Parameter keyPaths: The observed key paths; nil for everything within `depth` links.
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
    // All that is within the depth is more than `["*"]`, the properties of one class.
    key = "\(className) \(depth) \(keyPaths.map { "\($0.sorted())" } ?? "all")"
  }

  /// The classes of which only some properties are observed.
  var classesWithProperties: Set<String> {
    Set(region.sources.filter { $0.counted != nil }.map(\.className))
  }

  var tables: Set<String> { region.tables }

  /// Returns the objects that changed between two snapshots.
  func rows(_ changes: CommitChanges, _ old: Snapshot, _ new: Snapshot) throws -> RowSet {
    let touched = sources.map { $0.touched(changes) }
    // The snapshots need not be read if no other object links to the touched ones.
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

  /// A source of the region, in the form in which it is compared with changed rows.
  private struct Source {
    let className: String
    /// The tables of the observed collections.
    let collections: [String]
    /// The observed properties; nil for all.
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
          // An inserted or deleted object always counts.
          guard let changed = properties[row], !changed.isAll else { return true }
          return changed.intersects(counted)
        })
    }
  }
}

/// The tables that observations depend on, and the changes that a writing session must record.
struct ObservedTables: Sendable {
  /// The number of observations of each table.
  private(set) var tables: [String: Int] = [:]
  private(set) var classesWithProperties: [String: Int] = [:]
  private(set) var lists: [CollectionKey: Int] = [:]
  private var regionCounts: [String: Int] = [:]
  private(set) var regions: [String: ChangedObjects] = [:]
  var tokens = 0

  var isEmpty: Bool { tokens == 0 }

  mutating func add(_ source: any ObservationSource) { count(source, 1) }

  mutating func remove(_ source: any ObservationSource) { count(source, -1) }

  private mutating func count(_ source: any ObservationSource, _ number: Int) {
    for region in source.regions {
      regionCounts.count(region.key, number)
      regions[region.key] = regionCounts[region.key] == nil ? nil : region
      for table in region.tables { tables.count(table, number) }
      for name in region.classesWithProperties { classesWithProperties.count(name, number) }
    }
    for table in source.tables { tables.count(table, number) }
    for name in source.classesWithProperties { classesWithProperties.count(name, number) }
    if let list = source.list { lists.count(list, number) }
  }
}

extension Dictionary where Value == Int {
  fileprivate mutating func count(_ key: Key, _ number: Int) {
    let count = self[key, default: 0] + number
    self[key] = count > 0 ? count : nil
  }
}

/// The changes of one or several commits, in the form that observations need.
struct CommitChanges: Sendable {
  /// The changed rows by table; for the table of a collection, the owners of the collections.
  var rows: [String: RowSet] = [:]
  /// The properties that differ or were set, by class and row; all of an inserted or deleted row.
  /// Only for classes whose properties are observed.
  var properties: [String: [Int64: PropertySet]] = [:]
  /// The objects that changed, themselves or through their links, by region.
  var reached: [String: RowSet] = [:]
  /// The edits of lists; nil for a list that must be compared.
  var edits: [CollectionKey: ListEdits?] = [:]

  func rows(of table: String) -> RowSet { rows[table] ?? RowSet() }

  func touches(_ table: String) -> Bool { rows[table].map { !$0.isEmpty } ?? false }

  func touches(_ key: CollectionKey) -> Bool { rows[key.table]?.contains(key.owner) ?? false }

  /// Returns the changed objects of a region.
  func reached(_ region: ChangedObjects?) -> RowSet {
    region.flatMap { reached[$0.key] } ?? RowSet()
  }

  func edits(of list: CollectionKey) -> ListEdits? { edits[list] ?? nil }

  var isEmpty: Bool {
    rows.isEmpty && properties.isEmpty && reached.isEmpty && edits.isEmpty
  }

  mutating func add(_ newer: CommitChanges) {
    guard !isEmpty else { return self = newer }
    for (key, old) in edits where newer.touches(key) {
      // If the later commit has no edits, the edits of the list are unknown.
      let later = newer.edits(of: key)
      edits[key] = .some(old.flatMap { old in later.flatMap { old.followed(by: $0) } })
    }
    for (key, edit) in newer.edits where edits[key] == nil {
      // The list was changed before without recorded edits: unknown.
      edits[key] = .some(touches(key) ? nil : edit)
    }
    for (table, touched) in newer.rows { rows[table, default: RowSet()].formUnion(touched) }
    for (region, rows) in newer.reached { reached[region, default: RowSet()].formUnion(rows) }
    for (table, sets) in newer.properties {
      properties[table, default: [:]].merge(sets) { $0.union($1) }
    }
  }
}
