import Foundation
import GRDB

/// Asks SQLite whether the pages of tables are sound that a migration has carried over.
///
/// A damaged page may have fewer rows than were written to it, without an error. What a migration
/// reads of it becomes the truth, so this is the last moment to notice.
struct DamageCheck {
  /// The file as it was before.
  let db: Database
  let url: URL

  /// How many problems an error names.
  private static let named = 3

  /// - Parameters:
  ///   - classes: The classes whose rows were worked on, by any of the names that they had.
  ///   - origins: By new names, the ones before.
  ///   - schema: What is in the file.
  /// - Throws: ``RealmError`` with code `invalidDatabase`, naming what SQLite finds.
  func check(_ classes: Set<String>, origins: [String: String], in schema: Schema) throws {
    let names = classes.union(classes.compactMap { origins[$0] })
    let tables = schema.stored.objectSchema.filter { names.contains($0.className) }.flatMap {
      [$0.className] + $0.collectionTables.map(\.name)
    }
    let problems = try tables.flatMap(problems)
    guard !problems.isEmpty else { return }
    var list = problems.prefix(Self.named).joined(separator: "; ")
    if problems.count > Self.named { list += "; and \(problems.count - Self.named) more" }
    throw RealmError(
      .invalidDatabase,
      "Realm file at path '\(url.path)' is damaged in tables that the migration reads "
        + "(\(list)), and objects may be missing. "
        + "Nothing was migrated. Restore the file from a backup, save what 'sqlite3 file .recover' "
        + "finds, or set 'migrationIntegrityCheck' to false to migrate what can be read.",
      fileURL: url)
  }

  private func problems(of table: String) throws -> [String] {
    do {
      let found = try String.fetchAll(db, sql: "PRAGMA quick_check(\(SQLName.quote(table)))")
      return found == ["ok"] ? [] : found.map { "\(table): \($0)" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return ["\(table): \(error.message ?? "it can't be read")"]
    }
  }
}
