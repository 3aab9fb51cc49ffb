import Synchronization

/// The classes of open files as tables, shared by all stores of the same classes.
final class TableSet: Sendable {
  let tables: [Table]
  /// The tables that each table's links lead to.
  private let linkTargets: [[Table]]
  /// The table names of collections, by position.
  let collectionNames: [String]
  private let byType: [ObjectIdentifier: Table]
  private let byName: [String: Table]
  /// The classes with their names in the file.
  let stored: Schema
  private let references: SchemaReferences
  private let effects: Mutex<[Effect?]>
  /// The schema for queries, made for the first query.
  private let lazyQuerySchema = Mutex<QuerySchema?>(nil)
  /// The classes with their names in Swift.
  let declared: Schema

  /// The changes that SQLite may make when an object is deleted.
  struct Effect: Sendable {
    var tables: [Table]
    var collections: [Int]
  }

  private init(_ discovered: DiscoveredSchema, missing: Set<String>, readsNilAsDefault: Bool) {
    var collectionCount = 0
    let infos = discovered.classes.values.sorted { $0.className < $1.className }
    tables = infos.enumerated().map { index, info in
      defer { collectionCount += info.slots.collections.count }
      return Table(
        info, discovered.schema[info.className] ?? info.objectSchema, index: index,
        exists: !missing.contains(info.className), nextCollection: collectionCount,
        readsNilAsDefault: readsNilAsDefault)
    }
    // In a newer file, a class may have another name than in the program.
    byName = Dictionary(tables.map { ($0.info.type.className(), $0) }) { first, _ in first }
      .merging(tables.map { ($0.info.className, $0) }) { $1 }
    collectionNames = tables.flatMap { $0.collections.values.sorted { $0.index < $1.index } }
      .map(\.tableName)
    linkTargets = tables.map { [byName] table in
      let targets = table.info.properties.filter { $0.type == .object && $0.isStoredInColumn }
      return Set(targets.compactMap(\.objectClassName)).compactMap { byName[$0] }
    }
    byType = Dictionary(uniqueKeysWithValues: tables.map { (ObjectIdentifier($0.info.type), $0) })
    declared = discovered.schema
    stored = discovered.schema.stored
    references = SchemaReferences(stored)
    effects = Mutex(Array(repeating: nil, count: tables.count))
  }

  private struct Key: Hashable {
    var discovered: ObjectIdentifier
    var readsNilAsDefault: Bool
  }

  private static let known = Mutex<[Key: TableSet]>([:])

  /// - Parameters:
  ///   - missing: The classes for which a read-only file has no table.
  ///   - readsNilAsDefault: Whether NULL in a required property isn't a mistake: a newer program
  ///     may have made the property optional.
  static func of(
    _ discovered: DiscoveredSchema, missing: Set<String>, readsNilAsDefault: Bool = false
  ) -> TableSet {
    guard missing.isEmpty else {
      return TableSet(discovered, missing: missing, readsNilAsDefault: readsNilAsDefault)
    }
    // Discovered schemas live forever, so their identifiers are not reused.
    let key = Key(
      discovered: ObjectIdentifier(discovered), readsNilAsDefault: readsNilAsDefault)
    if let set = known.withLock({ $0[key] }) { return set }
    let set = TableSet(discovered, missing: [], readsNilAsDefault: readsNilAsDefault)
    return known.withLock { known in
      if let first = known[key] { return first }
      known[key] = set
      return set
    }
  }

  var querySchema: QuerySchema {
    lazyQuerySchema.withLock { known in
      if let known { return known }
      let made = QuerySchema(declared)
      known = made
      return made
    }
  }

  func collectionTable(_ name: String) -> CollectionTable? {
    stored.objectSchema.lazy.flatMap(\.collectionTables).first { $0.name == name }
  }

  /// The tables that the links of a table lead to: its rows may refer to rows of these tables.
  func linkTargets(of table: Table) -> [Table] { linkTargets[table.index] }

  subscript(type: ObjectBase.Type) -> Table? { byType[ObjectIdentifier(type)] }

  subscript(className: String) -> Table? { byName[className] }

  /// The tables and collections whose rows SQLite may change or delete when an object is deleted.
  /// Computed at the first deletion.
  func effect(ofDeletingIn table: Table) -> Effect {
    effects.withLock { effects in
      if let effect = effects[table.index] { return effect }
      let names = stored.effectOfDeleting(table.info.className, references)
      let collections = tables.lazy.flatMap(\.collections.values)
      let effect = Effect(
        tables: names.classes.compactMap { byName[$0] },
        collections: collections.filter { names.collections.contains($0.tableName) }.map(\.index))
      effects[table.index] = effect
      return effect
    }
  }
}
