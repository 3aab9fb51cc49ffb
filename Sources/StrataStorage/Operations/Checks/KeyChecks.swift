package import GRDB
package import StrataSchema

/// The violations of foreign keys that a migration adds to the existing ones.
package struct ForeignKeyCheck {
  private struct Key: Hashable {
    var table: String
    var parent: String
  }

  /// By tables and not by columns: rebuilding a table may change the numbers of its references.
  private var counts: [Key: Int] = [:]

  /// The number of dangling references of each table.
  package var dangling: [String: Int] {
    Dictionary(counts.map { ($0.key.table, $0.value) }, uniquingKeysWith: +)
  }

  /// Whether no reference is dangling.
  package var isClean: Bool { counts.isEmpty }

  package init(_ db: Database) throws {
    if try count("PRAGMA foreign_key_check", db) { return }
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    for table in tables {
      _ = try count("PRAGMA foreign_key_check(\(SQLName.quote(table)))", db)
    }
  }

  /// Adds the violations that a statement finds. If a table refers to columns that aren't unique,
  /// it can't be checked before or after the migration: then returns false, and adds nothing.
  private mutating func count(_ sql: String, _ db: Database) throws -> Bool {
    do {
      var found: [Key: Int] = [:]
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        found[Key(table: row[0], parent: row[2]), default: 0] += 1
      }
      counts.merge(found, uniquingKeysWith: +)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return false
    }
  }

  package func compare(with before: ForeignKeyCheck) throws(RealmError) {
    let added = counts.filter { $0.value > before.counts[$0.key, default: 0] }
    guard !added.isEmpty else { return }
    let lines = added.map {
      "\n- \($0.value - before.counts[$0.key, default: 0]) rows of '\($0.key.table)' refer to rows of "
        + "'\($0.key.parent)' that don't exist"
    }
    throw RealmError(
      .fail,
      "The migration would break references between tables:\(lines.sorted().joined())\n"
        + "Delete the referring rows first, or keep the rows that they refer to.")
  }
}

/// The finder of views and triggers that don't fit the tables they name.
///
/// SQLite compiles them when they are used. A migration that removes a column could therefore leave
/// a view that fails at the next query of another program. Views and triggers that failed before
/// are ignored.
package struct DependentsCheck {
  private let broken: Set<String>

  package init(_ db: Database, _ catalog: Catalog) throws {
    let items = catalog.items
    var broken: Set<String> = []
    for item in items where item.type == "view" {
      if try !Self.compiles("SELECT * FROM \(SQLName.quote(item.name))", db) {
        broken.insert("view '\(item.name)'")
      }
    }
    let triggers = items.filter { $0.type == "trigger" && !$0.isOwnTrigger }
    if !triggers.isEmpty {
      let catalog = Catalog(items: items, columns: try Catalog.readColumns(db))
      for item in triggers where try !Self.fits(item, catalog, db) {
        broken.insert("trigger '\(item.name)'")
      }
    }
    self.broken = broken
  }

  /// - Throws: ``RealmError`` with code `fail` if something is broken that wasn't broken `before`.
  package func compare(with before: DependentsCheck) throws(RealmError) {
    let names = broken.subtracting(before.broken).sorted()
    guard !names.isEmpty else { return }
    throw RealmError(
      .fail,
      "The migration would break what other programs added to the file: "
        + "\(names.joined(separator: ", ")). "
        + "Drop them first and create them again after the migration, or keep the properties that "
        + "they use.")
  }

  /// A trigger is compiled together with a statement that fires it.
  private static func fits(_ trigger: Catalog.Item, _ catalog: Catalog, _ db: Database) throws
    -> Bool
  {
    let table = SQLName.quote(trigger.table)
    let columns = catalog.columns(of: trigger.table).filter { $0.hidden == 0 }
    let names = columns.map { SQLName.folded($0.name) }
    // `UPDATE OF` a missing column compiles, but the trigger would never fire again.
    guard updatedColumns(trigger.sql ?? "").allSatisfy(names.contains) || columns.isEmpty else {
      return false
    }
    let assignments = columns.map { "\(SQLName.quote($0.name)) = \(SQLName.quote($0.name))" }
    var statements = ["DELETE FROM \(table)", "INSERT INTO \(table) DEFAULT VALUES"]
    if !columns.isEmpty {
      statements.append("UPDATE \(table) SET \(assignments.joined(separator: ", "))")
    }
    return try statements.allSatisfy { try compiles($0, db) }
  }

  /// Returns the columns in `UPDATE OF a, "b" ON`, folded as SQLite compares them.
  private static func updatedColumns(_ sql: String) -> [String] {
    let folded = SQLName.folded(sql)
    guard let start = folded.firstRange(of: /\bupdate\s+of\s/)?.upperBound,
      let end = folded[start...].firstRange(of: /\son\s/)?.lowerBound
    else { return [] }
    return folded[start..<end].split(separator: ",").map { name in
      name.filter { !"\"`[] \n\t\r".contains($0) }
    }
  }

  private static func compiles(_ sql: String, _ db: Database) throws -> Bool {
    do {
      _ = try db.makeStatement(sql: "EXPLAIN \(sql)")
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return false
    }
  }
}

extension Collection<Int64> {
  /// Returns the identities of some rows for an error, with a sign that there are more.
  func listed(of count: Int) -> String {
    map(String.init).joined(separator: ", ") + (count > self.count ? ", …" : "")
  }
}

/// The creation of a primary key for a column, and the values that prevent it.
package struct PrimaryKeyCheck {
  package let db: Database
  package let table: String
  package let property: Property
  package let identity: String

  /// The number of values that the error names, and of rows for each.
  private static let named = 10

  package func createIndexes() throws {
    do {
      for sql in IndexSQL.createPrimaryKey(table: table, property: property) {
        try db.execute(sql: sql)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw RealmError(.fail, try message(), underlyingError: error)
    }
  }

  private func message() throws -> String {
    let column = SQLName.quote(property.columnName)
    let groups = DuplicatesSQL.groups(of: column, in: SQLName.quote(table))
    let duplicates = try Row.fetchAll(
      db, sql: "SELECT value, n FROM (\(groups)) ORDER BY n DESC, value LIMIT \(Self.named)")
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(groups))") ?? 0
    var lines = try duplicates.map { row -> String in
      let value: DatabaseValue = row[0]
      let count: Int = row[1]
      let rows = try Int64.fetchAll(
        db,
        sql: """
          SELECT \(SQLName.quote(identity)) FROM \(SQLName.quote(table))
          WHERE \(column) IS ? ORDER BY 1 LIMIT \(Self.named)
          """, arguments: [value])
      return "\n- \(Self.text(value)) occurs \(count) times (\(identity) \(rows.listed(of: count)))"
    }
    if total > duplicates.count { lines.append("\n- and \(total - duplicates.count) more values") }
    return "Primary key property '\(table).\(property.name)' has duplicate values after migration."
      + lines.joined()
      + "\nDelete objects, or give them other values, in the migration block; or leave one of each with "
      + "'migration.resolveDuplicates(ofType: \"\(table)\", keeping: .first)'."
  }

  package static func text(_ value: DatabaseValue) -> String { text(StoredValue(value)) }

  package static func text(_ value: StoredValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .blob(let value): "<\(value.count) bytes>"
    }
  }
}
