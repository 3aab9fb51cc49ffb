import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// Several programs that write to a file with a history, which must contain all commits.
  @Suite(.serialized) struct HistoryRaceTests {
    private static let rounds = Extent.current == .all ? 20 : 1

    @Test func `The history of three programs, one killed and one with SQL alone, gives the file`()
      throws
    {
      for round in 1...Self.rounds {
        let folder = try Folder()
        let begun = try Worker.run("orders-begin", folder)
        expectTrue(begun.events != nil, "\(begun)")
        let copy = try Worker("run", "orders-copy", folder)
        let writer = try Worker("run", "orders-write", folder)
        for kill in 0..<4 {
          let victim = try Worker("run", "orders-write", folder)
          for _ in 0..<(2 + 3 * kill) { expectTrue(victim.line() != nil) }
          for _ in 0..<3 { try changeWithSQL(folder) }
          victim.kill()
          expectTrue(victim.ending().isKilled)
        }
        try Data().write(to: folder.url.appendingPathComponent("stop"))
        let (writing, copying) = (writer.ending(), copy.ending())
        expectTrue(writing.events != nil, "round \(round): \(writing)")
        expectTrue(copying.output.contains("equal "), "round \(round): \(copying)")
        print("history of three programs: \(copying.output.prefix { $0 != "\n" })")
      }
    }

    private func changeWithSQL(_ folder: Folder) throws {
      let statements = [
        "UPDATE \"Order\" SET note = note || '!' WHERE number % 3 = 0",
        "INSERT OR IGNORE INTO \"Order\" (number, note) VALUES (abs(random()) % 1000, 'SQL')",
        "DELETE FROM \"Order\" WHERE _id = (SELECT min(_id) FROM \"Order\")",
        "UPDATE Address SET street = street || '?' WHERE _id % 2 = 0",
        "DELETE FROM Order_tags WHERE owner % 4 = 0",
        "INSERT INTO Message (text) VALUES ('SQL ' || abs(random()))",
        "DELETE FROM Message WHERE _id % 5 = 0",
      ]
      var configuration = Configuration()
      configuration.busyMode = .timeout(30)
      let queue = try DatabaseQueue(path: folder.file.path, configuration: configuration)
      defer { #expect(throws: Never.self) { try queue.close() } }
      try queue.write { db in
        for statement in statements.shuffled().prefix(2) { try db.execute(sql: statement) }
      }
    }
  }
}
