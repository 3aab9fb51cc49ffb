package import GRDB
package import StrataSchema

extension MigrationReport {
  /// The balance of the objects of one class.
  public struct ClassRows: Sendable, Hashable {
    /// The class, as it is called after the stage.
    public let className: String
    /// How many objects there were.
    public let before: Int
    /// How many there are.
    public let after: Int
    /// How many the closure created, and how many copies were made of shared objects.
    public let created: Int
    /// How many were deleted, by the closure or together with others.
    public let deleted: Int
    /// How many were merged into others that had the same key.
    public let merged: Int
  }
}

/// The counts of what a stage does to the rows of classes, held against what is there in the end.
package final class RowAccounts {
  private var before: [String: Int] = [:]
  private var created: [String: Int] = [:]
  private var deleted: [String: Int] = [:]
  private var merged: [String: Int] = [:]
  /// The classes that may have other rows than before. Counting takes time for each row, so
  /// classes without added or removed objects are not counted.
  private var uncertain: Set<String> = []

  /// The classes of which rows were created, deleted or merged.
  package var changedClasses: Set<String> {
    Set(created.keys).union(deleted.keys).union(merged.keys)
  }

  /// A loop has gone through all rows that a class had.
  package func noteLoop(_ className: String, rows: Int) {
    if before[className] == nil { before[className] = rows }
  }

  /// The table of a class was rebuilt, row by row.
  func noteRebuilt(_ className: String) { uncertain.insert(className) }

  package func noteCreated(_ className: String, rows: Int = 1) {
    if rows > 0 { created[className, default: 0] += rows }
  }

  package func noteDeleted(_ className: String) { deleted[className, default: 0] += 1 }

  package func noteMerged(_ className: String) { merged[className, default: 0] += 1 }

  /// Counts the rows of classes before they are worked on.
  ///
  /// - Parameters:
  ///   - classes: What the classes are called after the stage.
  ///   - oldName: What one is called in the database.
  package func countBefore(
    _ classes: some Sequence<String>, _ db: Database, oldName: (String) -> String?
  ) throws {
    for name in classes {
      uncertain.insert(name)
      guard before[name] == nil else { continue }
      before[name] = try oldName(name).map { try Self.count($0, db) } ?? 0
    }
  }

  private static func count(_ table: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLName.quote(table))") ?? 0
  }

  /// What became of the rows.
  ///
  /// Objects inside of others are deleted with them, which is not counted: those that are neither
  /// there nor merged count as deleted. Of all other classes each object must be accounted for.
  /// - Parameters:
  ///   - schema: What is in the file now.
  ///   - wereEmbedded: The classes whose objects were inside of others before.
  /// - Throws: ``RealmError`` with code `fail` when an object is missing, or is one too many.
  package func balance(
    _ schema: Schema, wereEmbedded: Set<String>, _ db: Database
  ) throws -> [MigrationReport.ClassRows] {
    var lines: [String] = []
    var classes: [MigrationReport.ClassRows] = []
    for (name, before) in before.sorted(by: { $0.key < $1.key }) {
      guard let object = schema[name] else { continue }
      let after = uncertain.contains(name) ? try Self.count(name, db) : before
      let created = created[name, default: 0]
      let merged = merged[name, default: 0]
      let isCounted = !object.isEmbedded && !wereEmbedded.contains(name)
      let deleted =
        isCounted ? deleted[name, default: 0] : max(0, before + created - merged - after)
      let rows = MigrationReport.ClassRows(
        className: name, before: before, after: after,
        created: isCounted ? created : max(created, after + deleted + merged - before),
        deleted: deleted, merged: merged)
      classes.append(rows)
      if before + rows.created - deleted - merged != after {
        lines.append(
          "\n- '\(name)' had \(before) objects, \(created) were created, \(deleted) deleted and "
            + "\(merged) merged, and it has \(after)")
      }
    }
    guard lines.isEmpty else {
      throw RealmError(
        .fail,
        "The object counts don't add up, and the migration was rolled back:" + lines.joined()
          + "\nChange rows by means of the migration only. If nothing else did, this is a bug of the "
          + "library: please report it.")
    }
    return classes
  }
}
