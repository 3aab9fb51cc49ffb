import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// The test harness itself: each fault that the tests look for occurs here once on purpose.
  @Suite struct HarnessTests {
    @Test(arguments: [
      "INSERT INTO Person_tags VALUES (1, 'half')",
      "ALTER TABLE Person ADD COLUMN half TEXT",
      "DELETE FROM Draft WHERE _id = 7",
      "DELETE FROM strata_schema_version",
    ])
    func `A file that is half done is neither old nor new`(change: String) throws {
      let scenario = try Scenario.of("migrate")
      let folder = try scenario.newFolder()
      try folder.execute(change)
      let wrong = #expect(throws: Wrong.self) { try scenario.state(of: folder.file) }
      expectEqual(wrong?.description.contains("neither old nor new"), true)
    }

    @Test func `A file that SQLite finds damaged is reported`() throws {
      let scenario = try Scenario.of("migrate")
      let folder = try scenario.newFolder()
      try folder.execute(
        "PRAGMA foreign_keys = OFF; DROP TRIGGER strata_delete_Dog; DELETE FROM Dog")
      let wrong = #expect(throws: Wrong.self) { try scenario.state(of: folder.file) }
      expectEqual(wrong?.description.contains("SQLite reports"), true)
    }

    @Test func `Old and new files are told apart`() throws {
      let scenario = try Scenario.of("migrate")
      let folder = try scenario.newFolder()
      try expectEqual(scenario.state(of: folder.file), .before)
      _ = try Worker.run("migrate", folder)
      try expectEqual(scenario.state(of: folder.file), .after)
    }

    @Test func `A worker ends where it is told to, in the middle of the block`() throws {
      let scenario = try Scenario.of("migrate")
      let count = try scenario.count("statement")
      let ending = try Worker.run(
        "migrate", scenario.newFolder(), ["at=statement:\(count / 2)"])
      expectTrue(ending.isKilled)
      expectTrue(ending.errors.contains("killed at event \(count / 2), inside a transaction"))
      expectNil(ending.events)
    }

    @Test func `A leak is noticed`() {
      #expect(throws: Wrong.self) { try LeakTests.check("leak-on-purpose") }
    }

    @Test func `A fault after the end doesn't happen`() throws {
      let scenario = try Scenario.of("migrate")
      let ending = try Worker.run("migrate", scenario.newFolder(), ["at=statement:1000000"])
      expectTrue(!ending.isKilled && ending.events != nil)
    }
  }
}

extension Folder {
  /// Changes the file as another program would.
  fileprivate func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.inDatabase { try $0.execute(sql: sql) }
    try queue.close()
  }
}
