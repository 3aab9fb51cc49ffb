import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// Files that several processes open and close repeatedly: every committed row must be there.
  @Suite(.serialized) struct OpenAndCloseTests {
    /// Each process opens the file 300 times.
    private static let rounds = Extent.current == .all ? 6 : 1

    @Test(arguments: [2, 8])
    func `Every row of processes that open, write and close is there`(processes: Int) throws {
      for _ in 1...Self.rounds * (processes == 2 ? 2 : 1) {
        let folder = try Scenario.of("migrate").newFolder()
        let workers = try start("open-write-close", count: processes, folder)
        let committed = try workers.map { try commits(of: $0.ending()) }
        expectEqual(committed, Array(repeating: 300, count: processes))
        try expectEqual(folder.accounts(), 120 + committed.reduce(0, +))
        try expectEqual(folder.integrity(), "ok")
      }
    }

    @Test func `Every row that was committed before a migration is there after it`() throws {
      for _ in 1...Self.rounds {
        let folder = try Scenario.of("migrate").newFolder()
        let workers = try start("open-write-close", count: 2, folder)
        // Some hundredths of a second into their work.
        usleep(100_000)
        let migrated = try Worker.run("migrate", folder)
        expectTrue(migrated.events != nil, "\(migrated)")
        let committed = try workers.map { try commits(of: $0.ending()) }
        let sql = "SELECT count(*) FROM Account WHERE number > 10000"
        try expectEqual(folder.number(sql), committed.reduce(0, +))
        try expectEqual(folder.integrity(), "ok")
      }
    }

    @Test func `Realms in memory come and go in processes beside each other`() throws {
      for _ in 1...Self.rounds {
        let count = Extent.current == .all ? 6 : 3
        let workers = try start("open-in-memory", count: count, Folder())
        let committed = try workers.map { try commits(of: $0.ending()) }
        expectEqual(committed, Array(repeating: 300, count: count))
      }
    }

    @Test(arguments: [
      "look-problems", "look-history", "look-plan", "look-version", "look-backups", "look-seed",
      "look-again", "look-copy",
    ])
    func `A process that inspects its open file still sees and writes the same file`(
      job: String
    ) throws {
      let folder = try Scenario.of("migrate").newFolder()
      let worker = try Worker("run", job, folder)
      for number in 1...20 {
        let line = try #require(worker.line())
        expectEqual(line, "rows \(120 + number)")
        // Opens and closes the file in another process.
        try expectEqual(folder.accounts(), 120 + number)
        worker.proceed()
      }
      let ending = worker.ending()
      expectTrue(ending.events != nil && !ending.output.contains("failed"), "\(ending)")
      try expectEqual(folder.accounts(), 140)
      try expectEqual(folder.integrity(), "ok")
    }

    private func start(_ job: String, count: Int, _ folder: Folder) throws -> [Worker] {
      let workers = try (0..<count).map { _ in try Worker("run", job, folder) }
      for worker in workers { expectEqual(worker.line(), "ready") }
      for worker in workers { worker.proceed() }
      return workers
    }

    /// The rows that a process has reported as committed.
    private func commits(of ending: Worker.Ending) throws -> Int {
      expectTrue(ending.events != nil && !ending.output.contains("failed"), "\(ending)")
      let match = try #require(ending.output.firstMatch(of: /committed (\d+)/))
      return try #require(Int(match.1))
    }
  }
}

extension Folder {
  /// The rows of table `Account` of the file as a program sees that opens it, looks, and closes it.
  func accounts() throws -> Int? { try number("SELECT count(*) FROM Account") }

  func integrity() throws -> String? {
    try read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
  }

  func number(_ sql: String) throws -> Int? { try read { try Int.fetchOne($0, sql: sql) } }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { #expect(throws: Never.self) { try queue.close() } }
    return try queue.inDatabase(body)
  }
}
