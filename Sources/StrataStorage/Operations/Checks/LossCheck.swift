package import GRDB
import Logging
package import StrataSchema

/// The check that a stage loses no values unless the program allows it.
package struct LossCheck {
  package let losses: [PossibleLoss]
  /// The version after the stage.
  package let version: UInt64
  /// Properties whose values may be lost, such as `Person.age`.
  package let allowed: Set<String>

  package init(losses: [PossibleLoss], version: UInt64, allowed: Set<String>) {
    self.losses = losses
    self.version = version
    self.allowed = allowed
  }

  /// A link to a renamed class looks like a link of another type.
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
  ///   - db: A connection with the rows before the stage.
  ///   - table: Returns the name of a class on that connection.
  ///   - carried: Properties that the stage has handled, such as `Person.age`.
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

/// The repair of links to deleted objects.
package enum DanglingLinks {
  /// Sets dangling links to nil, so that they are not mistaken for links that the migration breaks.
  ///
  /// Removed elements take their embedded objects with them, so the triggers must exist.
  package static func clear(of schema: Schema, in db: Database) throws {
    try HelperItems.make(of: schema, in: db, hasMoreToDo: true)
    for sql in DanglingLinksSQL.statements(schema) { try db.execute(sql: sql) }
  }
}

extension Logger {
  /// Logs new classes that look like a removed class whose objects stay in the file. A class that
  /// is renamed only in code is a new, empty class.
  ///
  /// - Parameters:
  ///   - before: The schema before a stage, with the class names after it.
  ///   - kept: The schema of the file after the stage.
  ///   - carried: Properties that a closure has read, such as `Person.age`. The closure has handled
  ///     their objects itself.
  package func recordLookAlikes(
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
