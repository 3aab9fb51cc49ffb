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

/// The tables that observations depend on, and what a session that writes must note of them.
struct ObservedTables: Sendable {
  /// With how many observations need each.
  private(set) var tables: [String: Int] = [:]
  private(set) var classesWithProperties: [String: Int] = [:]
  private(set) var lists: [CollectionKey: Int] = [:]
  private var regionCounts: [String: Int] = [:]
  private(set) var regions: [String: ChangedObjects] = [:]
  /// How many tokens there are.
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

/// The changes of one or several commits, as observations ask for them.
struct CommitChanges: Sendable {
  /// The touched rows, by table; of a collection's table the objects that own the collections.
  var rows: [String: RowSet] = [:]
  /// The properties that differ or were set, by class and row; all of a row that came or went. Only
  /// of classes whose properties are observed.
  var properties: [String: [Int64: PropertySet]] = [:]
  /// The objects that changed themselves or through what they lead to, by region.
  var reached: [String: RowSet] = [:]
  /// How lists were edited; nil for what only comparing can tell.
  var edits: [CollectionKey: ListEdits?] = [:]

  func rows(of table: String) -> RowSet { rows[table] ?? RowSet() }

  func touches(_ table: String) -> Bool { rows[table].map { !$0.isEmpty } ?? false }

  func touches(_ key: CollectionKey) -> Bool { rows[key.table]?.contains(key.owner) ?? false }

  /// The objects of a region that changed.
  func reached(_ region: ChangedObjects?) -> RowSet {
    region.flatMap { reached[$0.key] } ?? RowSet()
  }

  /// How a list was edited; nil when that isn't known.
  func edits(of list: CollectionKey) -> ListEdits? { edits[list] ?? nil }

  var isEmpty: Bool {
    rows.isEmpty && properties.isEmpty && reached.isEmpty && edits.isEmpty
  }

  /// Adds what a later commit changed.
  mutating func add(_ newer: CommitChanges) {
    guard !isEmpty else { return self = newer }
    for (key, old) in edits where newer.touches(key) {
      // Without edits of the later commit it is unknown what became of the list.
      let later = newer.edits(of: key)
      edits[key] = .some(old.flatMap { old in later.flatMap { old.followed(by: $0) } })
    }
    for (key, edit) in newer.edits where edits[key] == nil {
      // Touched before without edits: unknown.
      edits[key] = .some(touches(key) ? nil : edit)
    }
    for (table, touched) in newer.rows { rows[table, default: RowSet()].formUnion(touched) }
    for (region, rows) in newer.reached { reached[region, default: RowSet()].formUnion(rows) }
    for (table, sets) in newer.properties {
      properties[table, default: [:]].merge(sets) { $0.union($1) }
    }
  }
}
