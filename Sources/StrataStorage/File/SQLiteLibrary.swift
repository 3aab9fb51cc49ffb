import GRDBSQLite

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
