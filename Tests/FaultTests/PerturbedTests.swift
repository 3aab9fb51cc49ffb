import Foundation
import TestKit
import Testing

extension Faults {
  /// Programs on one file whose threads are stopped, and whose calls take long, at any place.
  @Suite(.serialized) struct PerturbedTests {
    private static let seeds = Extent.current == .all ? Array(1...40) : [1, 2]

    @Test(arguments: seeds)
    func `Every balance is right, and every commit is there`(seed: Int) throws {
      let folder = try Scenario.of("perturbed-writer").newFolder()
      func start(_ job: String) throws -> Worker {
        try Worker("run", job, folder, ["delay=\(seed):3000:2000", "pauses=\(seed)"])
      }
      let others = try ["observer", "reader", "copier", "publisher"].map {
        try start("perturbed-\($0)")
      }
      let writers = try (0..<2).map { _ in try start("perturbed-writer") }
      // A third one is killed in the middle of its work.
      let killed = try start("perturbed-writer")
      var last = 0
      while last < 20 + seed % 20, let line = killed.line() { last = try #require(Int(line)) }
      killed.kill()
      while let number = killed.line().flatMap(Int.init) { last = number }
      let endings = writers.map { $0.ending() }
      try Data().write(to: folder.url.appendingPathComponent("stop"))
      for ending in endings + others.map({ $0.ending() }) {
        expectTrue(
          ending.events != nil && !ending.output.contains("wrong"), "seed \(seed): \(ending)")
      }
      try expectEqual(folder.integrity(), "ok")
      let missing = """
        SELECT count(*) FROM (
          SELECT count(*) AS found, max(number) AS last FROM Debt GROUP BY writer
        ) WHERE found <> last
        """
      try expectEqual(folder.number(missing), 0)
      let committed = try folder.number("SELECT count(*) FROM Debt") ?? 0
      expectTrue(committed >= 200 + last && committed <= 201 + last, "\(committed), \(last)")
      try expectEqual(
        folder.number(
          """
          SELECT (SELECT sum(amount) FROM Vault) + (SELECT sum(value) FROM Vault_coins)
            - (SELECT sum(amount) FROM Debt)
          """), 0)
      // Triggers, which write what SQLite's hook would tell, use other quotation marks.
      let written = "SELECT count(*) FROM strata_history WHERE changes LIKE '%_Debt_,_i_%'"
      try expectEqual(folder.number(written), committed)
    }
  }
}
