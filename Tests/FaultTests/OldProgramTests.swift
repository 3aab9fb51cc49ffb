import Foundation
import TestKit
import Testing

extension Faults {
  /// Programs that use a file while another process migrates it.
  @Suite(.serialized) struct OldProgramTests {
    private static let rounds = Extent.current == .all ? 10 : 1

    @Test func `An old writer gets an error, and everything that it had committed is there`() throws
    {
      for round in 1...Self.rounds {
        let folder = try Scenario.of("migrate").newFolder()
        let writer = try Worker("run", "old-writer", folder)
        for _ in 0...round { expectTrue(writer.line() != nil) }
        let migrated = try Worker.run("migrate", folder)
        let writing = writer.ending()
        expectTrue(migrated.events != nil, "\(migrated)")
        let lines = writing.output.split(separator: "\n")
        let failure = try #require(lines.first { $0.hasPrefix("failed ") })
        expectTrue(failure.contains("Unsupported schema changes were made by another client"))
        let committed = lines.filter { $0.hasPrefix("wrote ") }.last?.split(separator: " ").last
        let count = try #require(committed.flatMap { Int($0) })
        let sql = "SELECT count(*) FROM Account WHERE number > 10000"
        try expectEqual(folder.number(sql), count)
        try expectEqual(folder.number("SELECT sum(amount) FROM Account"), Self.total + 1)
        print("\(count) transactions before the migration")
      }
    }

    @Test
    func `An old reader sees all of a transaction or nothing, before the migration and after`()
      throws
    {
      for round in 1...Self.rounds {
        let folder = try Scenario.of("migrate").newFolder()
        let reader = try Worker("run", "old-reader", folder)
        let writer = try Worker("run", "old-writer", folder)
        for _ in 0...round * 5 { expectTrue(writer.line() != nil) }
        expectEqual(reader.line(), "ready")
        expectEqual(reader.line(), "total \(Self.total)")
        let migrated = try Worker.run("migrate", folder)
        expectTrue(migrated.events != nil, "\(migrated)")
        // Until it has seen the new file.
        expectEqual(reader.line(), "total \(Self.total + 1)")
        try Data().write(to: folder.url.appendingPathComponent("stop"))
        let reading = reader.ending()
        _ = writer.ending()
        expectFalse(reading.output.contains("total"), "\(reading)")
        // A property that is gone reads as nothing, and says why.
        expectTrue(reading.output.contains("people 0"), "\(reading)")
        expectTrue(
          reading.errors.contains("Unsupported schema changes were made by another client"),
          "\(reading)")
      }
    }

    @Test func `Writers with the new classes wait for the migration`() throws {
      for _ in 1...Self.rounds {
        let folder = try Scenario.of("migrate").newFolder()
        let writers = try (0..<3).map { _ in try Worker("run", "new-writer", folder) }
        let migrator = try Worker("run", "race", folder)
        migrator.proceed()
        for worker in writers + [migrator] {
          let ending = worker.ending()
          expectTrue(ending.events != nil && !ending.output.contains("failed "), "\(ending)")
        }
        try expectEqual(folder.number("SELECT count(*) FROM Account WHERE number > 10000"), 150)
        try expectEqual(folder.number("SELECT sum(amount) FROM Account"), Self.total + 1)
      }
    }

    /// The sum of the amounts of all accounts.
    private static let total = (0..<120).reduce(0, +)
  }
}
