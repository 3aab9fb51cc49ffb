package import GRDB
package import StrataSchema

extension MigrationReport {
  /// The balance of the objects of one class.
  public struct ClassRows: Sendable, Hashable {
    /// The name of the class after the stage.
    public let className: String
    /// The number of objects before the stage.
    public let before: Int
    /// The number of objects after the stage.
    public let after: Int
    /// The number of objects that the closure created, including copies of shared objects.
    public let created: Int
    /// The number of objects that were deleted, by the closure or together with others.
    public let deleted: Int
    /// The number of objects that were merged into others with the same key.
    public let merged: Int
  }
}

/// The counts of a stage's changes to the rows of classes, compared with the final rows.
package final class RowAccounts {
  private var before: [String: Int] = [:]
  private var created: [String: Int] = [:]
  private var deleted: [String: Int] = [:]
  private var merged: [String: Int] = [:]
  /// The classes whose number of rows may have changed. Counting takes time for each row, so
  /// classes without added or removed objects are not counted.
  private var uncertain: Set<String> = []

  /// The classes of which rows were created, deleted or merged.
  package var changedClasses: Set<String> {
    Set(created.keys).union(deleted.keys).union(merged.keys)
  }

  /// Records that a loop has processed all rows of a class.
  package func recordLoop(_ className: String, rows: Int) {
    if before[className] == nil { before[className] = rows }
  }

  /// Records that the table of a class was rebuilt, row by row.
  func recordRebuilt(_ className: String) { uncertain.insert(className) }

  package func recordCreated(_ className: String, rows: Int = 1) {
    if rows > 0 { created[className, default: 0] += rows }
  }

  package func recordDeleted(_ className: String) { deleted[className, default: 0] += 1 }

  package func recordMerged(_ className: String) { merged[className, default: 0] += 1 }

  /// Counts the rows of classes before they are changed.
  ///
  /// - Parameters:
  ///   - classes: The names of the classes after the stage.
  ///   - oldName: Returns the present name of a class in the database.
  package func countBefore(
    _ classes: some Sequence<String>, _ db: Database, oldName: (String) -> String?
  ) throws {
    for name in classes {
      uncertain.insert(name)
      guard before[name] == nil else { continue }
      before[name] = try oldName(name).map(db.rowCount) ?? 0
    }
  }

  /// Returns the balance of the rows.
  ///
  /// Objects inside deleted ones are deleted with them, which is not counted. Missing objects that
  /// were not merged therefore count as deleted. For all other classes, each object must be
  /// accounted for.
  /// - Parameter wereEmbedded: The classes whose objects were embedded before.
  /// - Throws: ``RealmError`` with code `fail` if there are fewer or more objects than expected.
  package func balance(
    _ schema: Schema, wereEmbedded: Set<String>, _ db: Database
  ) throws -> [MigrationReport.ClassRows] {
    var lines: [String] = []
    var classes: [MigrationReport.ClassRows] = []
    for (name, before) in before.sorted(by: { $0.key < $1.key }) {
      guard let object = schema[name] else { continue }
      let after = uncertain.contains(name) ? try db.rowCount(name) : before
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
          + "\nChange rows only through the migration. If no other code changed rows, this is a "
          + "bug of the library. Please report it.")
    }
    return classes
  }
}
