import Foundation
import TestKit
import Testing

extension Faults {
  /// Several processes open one file at the same moment.
  @Suite(.serialized) struct RaceTests {
    private static let processes = 8
    private static let rounds = Extent.current == .all ? 50 : 2

    @Test func `An old file is migrated once, and all see the new one`() throws {
      let scenario = try Scenario.of("migrate")
      for round in 1...Self.rounds {
        let folder = try scenario.newFolder()
        let endings = try race("race", folder)
        expectEqual(blocks(endings), 1, "round \(round)")
        expectEqual(Set(endings.map(sight)).count, 1, "round \(round)")
        for ending in endings { expectTrue(succeeded(ending), "round \(round): \(ending)") }
        try expectEqual(scenario.state(of: folder.file), .after, "round \(round)")
      }
    }

    @Test func `A new file is created once`() throws {
      let scenario = try Scenario.of("create")
      for round in 1...Self.rounds {
        let folder = try scenario.newFolder()
        let endings = try race("race", folder)
        expectEqual(blocks(endings), 0, "round \(round)")
        for ending in endings { expectTrue(succeeded(ending), "round \(round): \(ending)") }
        try expectEqual(scenario.state(of: folder.file), .after, "round \(round)")
      }
    }

    @Test func `A seed is copied once`() throws {
      let scenario = try Scenario.of("seed")
      for round in 1...Self.rounds {
        let folder = try scenario.newFolder()
        for ending in try race("race-for-seed", folder) {
          expectTrue(succeeded(ending), "round \(round): \(ending)")
        }
        try expectEqual(scenario.state(of: folder.file), .after, "round \(round)")
        try expectEqual(folder.leftovers(), [], "round \(round)")
      }
    }

    @Test func `A file of Realm is converted once`() throws {
      let scenario = try Scenario.of("convert")
      for round in 1...Self.rounds {
        let folder = try scenario.newFolder()
        let endings = try race("race-to-convert", folder)
        for ending in endings { expectTrue(succeeded(ending), "round \(round): \(ending)") }
        expectEqual(endings.count { $0.output.contains("converted") }, 1, "round \(round)")
        try expectEqual(scenario.state(of: folder.file), .after, "round \(round)")
        try expectEqual(folder.leftovers(), [], "round \(round)")
        try expectTrue(scenario.keepsOldFile(in: folder), "round \(round)")
      }
    }

    @Test func `A waiting process migrates when the migrating one is killed`() throws {
      let scenario = try Scenario.of("migrate")
      let count = try scenario.count("statement")
      for round in 1...Self.rounds {
        let folder = try scenario.newFolder()
        // Another statement each round, from the block to shortly before the commit.
        let point = 150 + (round * 977) % (count - 200)
        let first = try Worker("run", "race", folder, ["at=statement:\(point)"])
        expectEqual(first.line(), "ready")
        first.proceed()
        expectEqual(first.line(), "block runs")
        let endings = try race("race", folder)
        let place = "round \(round), statement \(point)"
        expectTrue(first.ending().isKilled, "\(place)")
        expectEqual(blocks(endings), 1, "\(place)")
        for ending in endings { expectTrue(succeeded(ending), "\(place): \(ending)") }
        try expectEqual(scenario.state(of: folder.file), .after, "\(place)")
      }
    }

    /// Starts processes, lets them go all at once, and waits for all.
    private func race(_ job: String, _ folder: Folder) throws -> [Worker.Ending] {
      let workers = try (0..<Self.processes).map { _ in try Worker("run", job, folder) }
      for worker in workers { expectEqual(worker.line(), "ready") }
      for worker in workers { worker.proceed() }
      return workers.map { $0.ending() }
    }

    private func succeeded(_ ending: Worker.Ending) -> Bool {
      ending.events != nil && !ending.output.contains("failed ")
    }

    private func blocks(_ endings: [Worker.Ending]) -> Int {
      endings.count { $0.output.contains("block runs") }
    }

    /// The rows that a process sees.
    private func sight(_ ending: Worker.Ending) -> Substring? {
      ending.output.split(separator: "\n").first { $0.hasPrefix("sees ") }
    }
  }
}
