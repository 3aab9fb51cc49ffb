package import GRDB
import Logging
package import StrataSchema

/// Refuses a stage that takes values away without saying so.
package struct LossCheck {
  package let losses: [PossibleLoss]
  /// The version that the stage goes to.
  package let version: UInt64
  /// `Person.age`: what may go.
  package let allowed: Set<String>

  package init(losses: [PossibleLoss], version: UInt64, allowed: Set<String>) {
    self.losses = losses
    self.version = version
    self.allowed = allowed
  }

  /// A link whose class has another name looks like one of another type.
  private var hints: [String] {
    let renames = losses.compactMap { loss -> String? in
      guard let old = loss.property.objectClassName, let new = loss.replacement?.objectClassName,
        old != new
      else { return nil }
      return "\nIf '\(new)' is the new name of '\(old)', say so: "
        + "'.renamingClass(\"\(old)\", to: \"\(new)\")'."
    }
    return Set(renames).sorted()
  }

  /// - Parameters:
  ///   - db: Has the rows as they were before the stage.
  ///   - table: The name that a class has there.
  ///   - carried: `Person.age`: what the stage has looked after.
  /// - Throws: ``RealmError`` with code `fail`, naming each property and its number of rows.
  package func check(
    _ db: Database, carried: Set<String> = [], table: (_ className: String) -> String = { $0 }
  ) throws {
    var lines: [String] = []
    var names: [String] = []
    for loss in losses where !allowed.contains(loss.name) && !carried.contains(loss.name) {
      let count = try Int.fetchOne(db, sql: loss.countSQL(in: table(loss.className))) ?? 0
      guard count > 0 else { continue }
      let rows = count == 1 ? "1 row still has" : "\(count) rows still have"
      let change =
        loss.replacement.map {
          "changes from '\(loss.property.typeName)' to '\($0.typeName)', but"
        } ?? "is removed, but"
      lines.append("\n- '\(loss.name)' \(change) \(rows) a value")
      names.append("\"\(loss.name)\"")
    }
    guard !lines.isEmpty else { return }
    lines += hints
    throw RealmError(
      .fail,
      "The migration to schema version \(version) would lose data:" + lines.joined()
        + "\nCarry the values over in the closure of the stage, or say that they may go with "
        + "'.dropping(\(names.joined(separator: ", ")))'.")
  }
}

/// Links to objects that are gone.
package enum DanglingLinks {
  /// Makes them nil, so that they are not taken for links that the migration breaks.
  ///
  /// Elements that go take what is embedded in them along, so the triggers must be there.
  package static func clear(of schema: Schema, in db: Database) throws {
    try HelperItems.make(of: schema, in: db, hasMoreToDo: true)
    for sql in DanglingLinksSQL.statements(schema) { try db.execute(sql: sql) }
  }
}

extension Logger {
  /// Says which new classes look like one whose objects stay behind: a class that is renamed in
  /// code only is a new and empty one.
  ///
  /// - Parameters:
  ///   - before: The schema before a stage, by the names that classes have after it.
  ///   - kept: What is in the file after it.
  ///   - carried: `Person.age`: what a closure has read, which then has seen to the objects itself.
  package func noteLookAlikes(
    from before: Schema, to target: Schema, kept: Schema, carried: Set<String> = [], _ db: Database
  ) throws {
    guard logLevel <= .notice else { return }
    let left = Schema(before.objectSchema.filter { kept[$0.className] != nil })
    for found in LookAlike.all(from: left, to: target) {
      guard !carried.contains(where: { $0.hasPrefix("\(found.old).") }),
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(SQLName.quote(found.old)))")
          == true
      else { continue }
      notice(
        """
        Class '\(found.new)' is new and empty, and looks like '\(found.old)', which the program no \
        longer has and whose objects stay in the file. If they are one class, call \
        'migration.renameClass(from: "\(found.old)", to: "\(found.new)")' in the migration, or \
        declare '.renamingClass("\(found.old)", to: "\(found.new)")' in the stage.
        """)
    }
  }
}

/// Counter of values that go because their property has another type in a schema.
struct RestartedValues {
  let db: Database
  let target: Schema

  /// The values that a rebuild leaves behind.
  func counts(in rebuild: TableRebuild) throws -> [MigrationReport.Restarted] {
    let columns = Set(
      try Catalog.columns(of: rebuild.table, db).map { SQLName.folded($0.name) })
    let given = rebuild.columns.filter { column in
      guard case .value = column.source else { return false }
      return columns.contains(SQLName.folded(column.property.columnName))
    }
    let kept = rebuild.columns.map(\.property.columnName)
    let left = (target[rebuild.table]?.properties ?? []).filter { property in
      columns.contains(SQLName.folded(property.columnName)) && !kept.contains(property.columnName)
    }
    return try given.flatMap { try count(rebuild.table, $0.property.columnName) }
      + left.flatMap { try counts(in: rebuild.table, $0.columnName) }
  }

  /// The values of a column that goes, if the property has become a collection.
  func counts(in table: String, _ column: String) throws -> [MigrationReport.Restarted] {
    guard target[table]?.property(column: column)?.collection != nil else { return [] }
    return try count(table, column)
  }

  /// The elements of a collection that goes, if the property has another type now.
  func counts(in table: CollectionTable) throws -> [MigrationReport.Restarted] {
    let column = table.property.columnName
    let target = target[table.className]?.property(column: column)
    guard let target, target.typeName != table.property.typeName else { return [] }
    return try count(
      property: "\(table.className).\(column)",
      sql: "SELECT count(*) FROM \(SQLName.quote(table.name))")
  }

  private func count(
    _ table: String, _ column: String
  ) throws -> [MigrationReport.Restarted] {
    try count(
      property: "\(table).\(column)",
      sql: "SELECT count(\(SQLName.quote(column))) FROM \(SQLName.quote(table))")
  }

  private func count(property: String, sql: String) throws -> [MigrationReport.Restarted] {
    guard let count = try Int.fetchOne(db, sql: sql), count > 0 else { return [] }
    return [MigrationReport.Restarted(property: property, values: count)]
  }
}
