import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

/// The SQLite library of a process, and what its version means for files of several programs.
public struct SQLiteLibrary: Sendable, Hashable {
  /// The version as SQLite says it, such as `3.46.1`.
  public let version: String
  /// Whether SQLite has repaired the WAL reset fault in this version
  /// (https://sqlite.org/wal.html#the_wal_reset_bug).
  ///
  /// Strata is safe without that: none of its checkpoints runs beside a commit. Programs without
  /// Strata may lose what several of them write to a file.
  public let hasWALResetFix: Bool

  /// - Parameter number: As `sqlite3_libversion_number()` has it: 3,046,001 for 3.46.1.
  package init(number: Int32) {
    version = "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    hasWALResetFix = Self.repaired.contains { $0.contains(number) }
  }

  /// The release that has the repair, with all later ones, and the older branches that got it.
  private static let repaired: [Range<Int32>] = [
    3_051_003..<Int32.max, 3_050_007..<3_051_000, 3_044_006..<3_045_000,
  ]

  /// The library of this process.
  public static let current = SQLiteLibrary(number: sqlite3_libversion_number())
}

extension SQLiteLibrary: CustomStringConvertible {
  /// The version, and what there is to know about it.
  public var description: String {
    hasWALResetFix
      ? "\(version), without the WAL reset fault"
      : "\(version), which has the WAL reset fault: Strata avoids it, programs without Strata may lose rows"
  }
}

/// The release of this library, for the history in files.
package enum LibraryRelease {
  package static let current = "0.1.0"
}

/// The check that this SQLite library can search texts.
package enum TextSearchSupport {
  /// - Throws: ``RealmError`` with code `fail` when a class has a full-text index, and SQLite has
  ///   no FTS5.
  package static func check(_ schema: Schema, _ db: Database) throws {
    guard let first = schema.textTables.first, try !hasModule(db) else { return }
    throw RealmError(.fail, message(for: first))
  }

  package static func message(for table: TextTable) -> String {
    "Property '\(table.className).\(table.column)' has a full-text index, and this SQLite library has "
      + "no FTS5. Use a SQLite that is compiled with SQLITE_ENABLE_FTS5, or leave out 'fullText: true'."
  }

  /// Whether this SQLite has FTS5.
  static func hasModule(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'fts5'") == true
  }
}

/// A limit that the system sets to the process.
enum ProcessLimit {
  case fileBytes, openFiles

  /// Nil without such a limit.
  var value: UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < Int64.max else { return nil }
    return UInt64(limit.rlim_cur)
  }

  #if canImport(Glibc)
    private var resource: __rlimit_resource_t {
      switch self {
      case .fileBytes: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      }
    }
  #else
    private var resource: CInt {
      switch self {
      case .fileBytes: RLIMIT_FSIZE
      case .openFiles: RLIMIT_NOFILE
      }
    }
  #endif
}
