import GRDB
import StrataStorage
import TestKit
import Testing

/// The versions of SQLite with the WAL reset bug.
@Suite struct SQLiteLibraryTests {
  @Test(arguments: [
    (3_040_001, "3.40.1", false), (3_044_005, "3.44.5", false), (3_044_006, "3.44.6", true),
    (3_044_012, "3.44.12", true), (3_045_000, "3.45.0", false), (3_050_006, "3.50.6", false),
    (3_050_007, "3.50.7", true), (3_051_000, "3.51.0", false), (3_051_002, "3.51.2", false),
    (3_051_003, "3.51.3", true), (3_052_000, "3.52.0", true), (4_000_000, "4.0.0", true),
  ])
  func `The releases with the repair are known`(number: Int, version: String, hasFix: Bool) {
    let library = SQLiteLibrary(number: Int32(number))
    expectEqual(library.version, version)
    expectEqual(library.hasWALResetFix, hasFix)
    expectEqual(
      "\(library)",
      (hasFix
        ? "\(version), without the WAL reset fault"
        : "\(version), which has the WAL reset fault: Strata avoids it, programs without Strata "
          + "may lose rows"))
  }

  @Test func `The library of the process is the one that reads files`() throws {
    let version = try DatabaseQueue().inDatabase {
      try String.fetchOne($0, sql: "SELECT sqlite_version()")
    }
    expectEqual(SQLiteLibrary.current.version, version)
  }
}
