package import GRDB
package import StrataSchema

/// The conversion of the objects of a class to embedded objects. Exactly one link must lead to each
/// of them.
///
/// The conversion runs without triggers, which would react to each change of a link. If several
/// classes become embedded, parents are converted first.
package struct EmbeddedConversion {
  private let db: Database
  /// The present schema of the file, in which all classes to be embedded are marked as embedded.
  private let schema: Schema
  private let target: ObjectSchema
  private let choice: EmbeddingChoice
  private let links: IncomingLinks

  /// The number of objects that an error names, and of parents for each.
  private static let named = 10

  package init(db: Database, schema: Schema, target: ObjectSchema, choice: EmbeddingChoice) {
    self.db = db
    self.schema = schema.stored
    self.target = target.stored
    self.choice = choice
    links = IncomingLinks(db: db, schema: self.schema)
  }

  private var name: String { target.className }

  /// - Returns: The number of copies of objects with several links.
  /// - Throws: ``RealmError`` with code `fail` for objects with no link or with several, unless the
  ///   choice was to delete or to copy them, and for objects in an `AnyRealmValue`.
  package func run() throws -> Int {
    if let value = try links.firstAnyValue(to: target) {
      throw RealmError(
        .fail,
        "Cannot convert '\(name)' to embedded: there is an incoming link from the Mixed property "
          + "'\(value.origin.className).\(value.property.name)', which does not support linking to "
          + "embedded objects.")
    }
    let orphans = try links.orphans(of: target)
    if !orphans.isEmpty {
      guard choice.orphans == .delete else { throw refusal(orphans: orphans) }
      try delete(orphans, of: target)
    }
    let shared = try links.shared(of: target)
    if !shared.isEmpty {
      guard choice.shared == .copy else { throw try refusal(shared: shared) }
    }
    return try copy(shared)
  }

  // MARK: Refusals

  private func refusal(orphans: [Int64]) -> RealmError {
    let rows = Self.list(orphans)
    let count =
      orphans.count == 1
      ? "1 object of '\(name)' has" : "\(orphans.count) objects of '\(name)' have"
    return RealmError(
      .fail,
      "Cannot convert '\(name)' to embedded: at least one object has no incoming links and would be "
        + "deleted. At least one object does not have a backlink (data would get lost)."
        + "\n- \(count) no parent (\(target.identityColumn) \(rows))"
        + "\nDelete them in the migration block, link to them, or have them deleted with "
        + "'migration.embedObjects(ofType: \"\(name)\", orphans: .delete)'.")
  }

  private func refusal(shared: [Int64]) throws -> RealmError {
    var lines = try shared.prefix(Self.named).map { row in
      "\n- '\(name)' \(row) is shared by \(try parents(of: row))"
    }
    if shared.count > Self.named {
      lines.append("\n- and \(shared.count - Self.named) more of \(shared.count) objects")
    }
    return RealmError(
      .fail,
      "Cannot convert '\(name)' to embedded: at least one object has more than one incoming link. "
        + "At least one object does have multiple backlinks." + lines.joined()
        + "\nGive each parent its own copy in the migration block, or have them copied with "
        + "'migration.embedObjects(ofType: \"\(name)\", shared: .copy)'.")
  }

  /// Returns a text such as `'Person' 1, 2 (address), 'Shop' 4 (addresses)`.
  private func parents(of row: Int64) throws -> String {
    var groups: [(reference: Reference, owners: [Int64])] = []
    for link in try links.all(to: row, of: target) {
      if let index = groups.firstIndex(where: { $0.reference == link.reference }) {
        groups[index].owners.append(link.owner)
      } else {
        groups.append((link.reference, [link.owner]))
      }
    }
    return groups.map { reference, owners in
      "'\(reference.origin.className)' \(Self.list(owners)) (\(reference.property.name))"
    }
    .joined(separator: ", ")
  }

  private static func list(_ rows: [Int64]) -> String {
    rows.prefix(named).listed(of: rows.count)
  }

  // MARK: Orphans

  /// Deletes embedded objects without an owner, and the objects inside them.
  package func deleteOrphans() throws { try delete(links.orphans(of: target), of: target) }

  /// Deletes objects, and the objects inside them to which nothing else links.
  ///
  /// A child that is shared with a remaining object still exists once at this point.
  private func delete(_ rows: [Int64], of parent: ObjectSchema) throws {
    let children = try links.children(of: parent).map { property, child in
      (child, try rows.flatMap { try links.children(in: property, of: parent, $0).map(\.row) })
    }
    let collections = parent.collectionTables.map { table in
      "DELETE FROM \(SQLName.quote(table.name)) WHERE \(SQLName.quote(CollectionTable.owner)) = ?"
    }
    let object = """
      DELETE FROM \(SQLName.quote(parent.className)) \
      WHERE \(SQLName.quote(parent.identityColumn)) = ?
      """
    for row in rows {
      for sql in collections + [object] {
        try db.cachedStatement(sql: sql).execute(arguments: [row])
      }
    }
    for (child, candidates) in children {
      let orphans = try candidates.filter { try !links.exist(to: $0, of: child) }
      if !orphans.isEmpty { try delete(orphans, of: child) }
    }
  }

  // MARK: Shared objects

  /// Copies a shared object for each parent except the first one, which keeps the object.
  private func copy(_ rows: [Int64]) throws -> Int {
    let copier = RowCopier(db: db, links: links)
    var count = 0
    for row in rows {
      for link in try links.all(to: row, of: target).dropFirst() {
        guard let copy = try copier.copy(row, of: target) else { continue }
        try link.replace(row, with: copy, db)
        count += 1
      }
    }
    return count
  }
}
