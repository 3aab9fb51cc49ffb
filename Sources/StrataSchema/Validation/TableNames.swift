/// The rules for the names of tables.
///
/// A class has a table, and each of its collections has one.
enum TableNames {
  private struct Owner {
    let className: String
    /// The column name of a collection; nil for the class itself.
    let collection: String?
    let table: String

    var description: String {
      collection.map { "collection '\(className).\($0)'" } ?? "type '\(className)'"
    }
  }

  /// Returns a problem for every name that a table cannot have, and for classes that would share a
  /// table.
  ///
  /// A collection whose default table conflicts with a class, or with another collection, gets
  /// another table: see ``Schema/namingCollections(besides:)``.
  static func problems(in sorted: [ObjectSchema]) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    var seen: [String: String] = [:]
    for owner in owners(of: sorted) {
      var found = problem(ofNameOf: owner).map { [$0] } ?? []
      if owner.collection == nil {
        let key = SQLName.folded(owner.className)
        if let first = seen[key] {
          found.append(
            SQLName.same(first, owner.className)
              ? .duplicateClass(first) : .classesDifferOnlyInCase(first, owner.className))
        } else {
          seen[key] = owner.className
        }
      }
      problems += found.filter { !problems.contains($0) }
    }
    return problems
  }

  /// Returns a problem for every class of the model that would share the table of another class in
  /// the file.
  static func problems(in target: Schema, besides stored: Schema) -> [SchemaProblem] {
    let existing = Dictionary(grouping: stored.objectSchema.map(\.className), by: SQLName.folded)
    return target.objectSchema.flatMap { object in
      existing[SQLName.folded(object.className), default: []].filter {
        !SQLName.same($0, object.className) && SQLName.collide($0, object.className)
      }.map { .classDiffersFromFileOnlyInCase(object.className, inFile: $0) }
    }
  }

  /// Returns all classes before all collections.
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

  private static func problem(ofNameOf owner: Owner) -> SchemaProblem? {
    // A dot would let an index, which is called `Class.column`, collide with a table.
    let isImpossible =
      owner.table.isEmpty || owner.table.utf8.contains { $0 == 0 || $0 == UInt8(ascii: ".") }
    guard let collection = owner.collection else {
      if isImpossible { return .invalidClassName(owner.className) }
      return isReserved(owner.table) ? .reservedClassName(owner.className) : nil
    }
    // Only the name of the class is the problem.
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
    // In a trigger, and in SQLite's action for a foreign key, `OLD` is the deleted row. A link in a
    // table of that name would be compared with itself.
    return folded.hasPrefix("sqlite_") || folded.hasPrefix("strata_")
      || folded == "grdb_migrations" || folded == "old"
  }
}
