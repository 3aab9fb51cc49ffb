import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// Checkpoints beside other processes. SQLite before 3.51.3 may lose rows or the whole file, if a
  /// checkpoint coincides with a commit that restarts the WAL.
  @Suite(.serialized) struct CheckpointTests {
    /// Whether the SQLite of the tests has that fault.
    private static func mayLose() throws -> Bool {
      let version = try DatabaseQueue().read {
        try String.fetchOne($0, sql: "SELECT sqlite_version()")
      }
      let parts = (version ?? "").split(separator: ".").compactMap { Int($0) }
      let backports = [[3, 50], [3, 44]]
      guard !backports.contains(where: parts.starts(with:)) else { return false }
      return parts.lexicographicallyPrecedes([3, 51, 3])
    }

    private static let seeds = Extent.current == .all ? Array(1...40) : [1, 2]

    @Test func `No other program commits while a checkpoint is made`() throws {
      let folder = try Folder()
      let worker = try Worker("run", "notes-pause", folder, ["delay=1:0:1"])
      expectEqual(worker.line(), "checkpointing")
      let queue = try DatabaseQueue(path: folder.file.path)
      let error = #expect(throws: DatabaseError.self) {
        try queue.inTransaction(.immediate) { _ in .rollback }
      }
      expectEqual(error?.resultCode, .SQLITE_BUSY)
      worker.proceed()
      let ending = worker.ending()
      expectTrue(ending.output.contains("wrote 40"), "\(ending)")
      try queue.inTransaction(.immediate) { _ in .rollback }
      try queue.close()
      try expectEqual(folder.integrity(), "ok")
    }

    /// Two programs write while time passes in their checkpoints.
    ///
    /// - Returns: What they said of a failure within the time; nil if all is well.
    private func failure(of job: String, seed: Int, within limit: Duration) throws -> String? {
      let folder = try Folder()
      let workers = try (0..<2).map {
        try Worker("run", job, folder, ["delay=\(2 * seed + $0):8000:100000"])
      }
      _ = blockUntil(within: limit) { !workers.allSatisfy(\.isRunning) }
      try Data().write(to: folder.url.appendingPathComponent("stop"))
      let endings = workers.map { $0.ending() }
      if let failed = endings.first(where: { $0.events == nil }) {
        return failed.output + failed.errors
      }
      let integrity = try folder.integrity()
      return integrity == "ok" ? nil : integrity
    }

    @Test(arguments: seeds)
    func `Two programs whose checkpoints meet each other's commits lose nothing`(seed: Int) throws {
      try expectNil(failure(of: "notes-write", seed: seed, within: .seconds(5)))
    }

    @Test(.enabled(if: Extent.current == .all), .enabled { try mayLose() })
    func `Beside each other, SQLite's own checkpoints lose rows, or the file`() throws {
      try expectTrue(failure(of: "notes-write-sql", seed: 1, within: .seconds(120)) != nil)
    }
  }
}
