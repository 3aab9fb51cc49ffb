import CStrataRuntime
import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

/// The SQLite library of the process, with the effect of its version on files of several programs.
public struct SQLiteLibrary: Sendable, Hashable {
  /// The version in SQLite's notation, such as `3.46.1`.
  public let version: String
  /// Whether SQLite has fixed the WAL reset bug in this version
  /// (https://sqlite.org/wal.html#the_wal_reset_bug).
  ///
  /// Strata is safe without the fix: none of its checkpoints runs beside a commit. Programs without
  /// Strata may lose transactions if several of them write to a file.
  public let hasWALResetFix: Bool

  /// - Parameter number: The value of `sqlite3_libversion_number()`: 3,046,001 for 3.46.1.
  package init(number: Int32) {
    version = "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    hasWALResetFix = Self.repaired.contains { $0.contains(number) }
  }

  /// The release with the fix and all later ones, and the older branches with a backport.
  private static let repaired: [Range<Int32>] = [
    3_051_003..<Int32.max, 3_050_007..<3_051_000, 3_044_006..<3_045_000,
  ]

  /// The library of this process.
  public static let current = SQLiteLibrary(number: sqlite3_libversion_number())

  /// Turns SQLite's memory statistics on or off, for the whole process.
  ///
  /// SQLite keeps the statistics under one lock, which each allocation takes. Without them,
  /// programs whose threads use SQLite at the same time are faster: 1,000 observed transactions on
  /// two cores took 139 ms instead of 180. `sqlite3_memory_used()` then returns 0, and
  /// `soft_heap_limit` and `hard_heap_limit` have no effect.
  ///
  /// Call it first, on one thread, before anything uses SQLite:
  ///
  /// ```swift
  /// try SQLiteLibrary.configure(countsMemory: false)
  /// let realm = try Realm()
  /// ```
  /// - Throws: ``RealmError`` with code `fail` if SQLite is in use already; nothing has changed
  ///   then.
  public static func configure(countsMemory: Bool) throws(RealmError) {
    let code = strata_count_sqlite_memory(countsMemory)
    guard code == SQLITE_OK else {
      throw RealmError(
        .fail,
        """
        SQLite's count of memory can't be turned \(countsMemory ? "on" : "off"): SQLite is in use \
        already (SQLite error \(code)). Call 'SQLiteLibrary.configure' before anything opens a file.
        """)
    }
  }
}

extension SQLiteLibrary: CustomStringConvertible {
  /// The version, and a note on the WAL reset bug.
  public var description: String {
    hasWALResetFix
      ? "\(version), without the WAL reset fault"
      : "\(version), which has the WAL reset fault: Strata avoids it, programs without Strata may lose rows"
  }
}

/// The release of this library, for the history in files.
package enum LibraryRelease {
  package static let current = "0.2.0"
}

/// The check that this SQLite library supports full-text search.
package enum TextSearchSupport {
  /// - Throws: ``RealmError`` with code `fail` if a class has a full-text index, and SQLite has no
  ///   FTS5.
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

/// A limit that the system sets for the process.
enum ProcessLimit {
  case fileBytes, openFiles

  /// Nil if there is no limit.
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
