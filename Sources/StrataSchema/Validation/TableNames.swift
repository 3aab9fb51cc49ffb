/// The rules that keep the tables of a schema apart from each other and from those of others.
///
/// A class has a table, and each of its collections has one.
enum TableNames {
  /// Whose table it is.
  private struct Owner {
    let className: String
    /// The column name of a collection; nil for the class itself.
    let collection: String?
    let table: String

    var description: String {
      collection.map { "collection '\(className).\($0)'" } ?? "type '\(className)'"
    }
  }

  /// Every name that a table cannot have, and every two tables that would be one.
  static func problems(in sorted: [ObjectSchema]) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    var seen: [String: Owner] = [:]
    for owner in owners(of: sorted) {
      var found = problem(ofNameOf: owner).map { [$0] } ?? []
      if let first = seen[SQLName.folded(owner.table)] {
        found += meeting(first, owner)
      } else {
        seen[SQLName.folded(owner.table)] = owner
      }
      problems += found.filter { !problems.contains($0) }
    }
    return problems
  }

  /// Every table of the model that would collide with another one in the file.
  static func problems(in target: Schema, besides stored: Schema) -> [SchemaProblem] {
    let existing = owners(of: stored.stored.objectSchema)
    // By the key on which names collide: see ``SQLName/collide(_:_:)``.
    let positions = existing.indices
    let byName = Dictionary(grouping: positions) { existing[$0].table }
    let byFoldedName = Dictionary(grouping: positions) { SQLName.folded(existing[$0].table) }
    return owners(of: target.objectSchema).flatMap { owner -> [SchemaProblem] in
      let candidates = Set(
        byName[owner.table, default: []]
          + byFoldedName[SQLName.folded(owner.table), default: []])
      return candidates.sorted().map { existing[$0] }.filter { isMeeting($0, owner) }.map {
        owner.collection == nil && $0.collection == nil
          ? .classDiffersFromFileOnlyInCase(owner.className, inFile: $0.className)
          : .tableIsTaken(owner.description, inFileBy: $0.description, table: owner.table)
      }
    }
  }

  /// All classes before all collections, so that a clash is reported for the collection.
  private static func owners(of classes: [ObjectSchema]) -> [Owner] {
    classes.map { Owner(className: $0.className, collection: nil, table: $0.className) }
      + classes.flatMap { schema in
        schema.properties.filter { $0.collection != nil }.map {
          Owner(
            className: schema.className,
            collection: $0.columnName,
            table: CollectionTable.name(className: schema.className, property: $0))
        }
      }
  }

  private static func isMeeting(_ first: Owner, _ second: Owner) -> Bool {
    guard SQLName.collide(first.table, second.table) else { return false }
    let isSameClass = SQLName.same(first.className, second.className)
    return switch (first.collection, second.collection) {
    case (nil, nil): !isSameClass
    // A collection of the same class whose name differs in case is renamed.
    case (_?, _?) where isSameClass: false
    // The collision of their classes is reported already.
    case (_?, _?): !SQLName.collide(first.className, second.className)
    default: true
    }
  }

  private static func meeting(_ first: Owner, _ second: Owner) -> [SchemaProblem] {
    if first.collection == nil, second.collection == nil {
      return [
        SQLName.same(first.className, second.className)
          ? .duplicateClass(first.className)
          : .classesDifferOnlyInCase(first.className, second.className)
      ]
    }
    // Two collections of one class have the same column name: ClassValidator says so.
    if first.className == second.className, second.collection != nil, first.collection != nil {
      return []
    }
    return [.tablesCollide(first.description, second.description, table: second.table)]
  }

  private static func problem(ofNameOf owner: Owner) -> SchemaProblem? {
    // A dot would let an index, which is called `Class.column`, collide with a table.
    let isImpossible =
      owner.table.isEmpty || owner.table.utf8.contains { $0 == 0 || $0 == UInt8(ascii: ".") }
    guard let collection = owner.collection else {
      if isImpossible { return .invalidClassName(owner.className) }
      return isReserved(owner.table) ? .reservedClassName(owner.className) : nil
    }
    // The name of the class alone is to blame.
    if owner.className.isEmpty || owner.className.utf8.contains(UInt8(ascii: "."))
      || isReserved(owner.className)
    {
      return nil
    }
    if collection.utf8.contains(UInt8(ascii: ".")) {
      return .dotInCollection(class: owner.className, column: collection)
    }
    return isReserved(owner.table)
      ? .reservedCollectionTable(owner.description, table: owner.table) : nil
  }

  private static func isReserved(_ table: String) -> Bool {
    let folded = SQLName.folded(table)
    // In a trigger, and in SQLite's action for a foreign key, `OLD` is the deleted row: a link in
    // a table of that name would be compared with itself.
    return folded.hasPrefix("sqlite_") || folded.hasPrefix("strata_")
      || folded == "grdb_migrations" || folded == "old"
  }
}
