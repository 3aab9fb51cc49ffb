import Foundation
import TestKit
import Testing

extension Faults {
  /// Limits: the number of pages in a database, the size of a process's files, and its number of
  /// open files.
  @Suite(.serialized) struct LimitTests {
    static let jobs = ["migrate", "migrate-no-block", "write", "create", "start-over"]

    @Test(arguments: Extent.current.jobs(jobs, sample: ["migrate"]))
    func `A database without more pages is an error, and the process can continue`(job: String)
      throws
    {
      let scenario = try Scenario.of(job)
      let size = try scenario.newFolder().size(of: "test.sqlite")
      try sweep(scenario, from: max(size / 4_096, 1), interval: 1, advice: NoRoomTests.room) {
        ["pages=\($0)"]
      }
    }

    @Test(
      arguments: Extent.current.jobs(
        jobs + ["free-changes", "compact", "seed", "convert", "rehearse"],
        sample: ["migrate", "seed", "convert", "rehearse"]))
    func `Files without more bytes are an error, and the process can continue`(job: String) throws {
      let advice = "The files of the process must not be longer than "
      try sweep(.of(job), from: 0, interval: 4_096, advice: advice) { ["bytes=\($0)"] }
    }

    @Test(
      arguments: Extent.current.jobs(
        jobs + ["free-changes"], sample: ["migrate", "write", "create"]))
    func `Files that the process may not open are an error, and it can continue`(job: String)
      throws
    {
      let advice = "The process has about as many files open as it may ("
      try sweep(.of(job), from: 3, interval: 1, advice: advice) { ["files=\($0)"] }
    }

    /// Tries every limit from too little to enough.
    private func sweep(
      _ scenario: Scenario, from least: Int, interval: Int, advice: String,
      _ fault: @Sendable (Int) -> [String]
    ) throws {
      var enough = 1
      while try run(scenario, fault(least + enough * interval), advice) == .failed { enough *= 2 }
      let points = Extent.current.points(enough, sample: 3)
      let outcomes = Sweep.run(
        points, { "'\(scenario.job)' with \(fault(least + ($0 - 1) * interval))" }
      ) {
        try run(scenario, fault(least + ($0 - 1) * interval), advice)
      }
      print(
        "\(scenario.job), \(fault(least)) to \(fault(least + enough * interval)): "
          + "\(NoRoomTests.summary(outcomes))")
      guard points.count > 1 else { return }
      expectTrue(outcomes.contains(.failed))
    }

    private func run(
      _ scenario: Scenario, _ fault: [String], _ advice: String
    ) throws -> Failure.Outcome {
      try Failure.run(
        scenario, fault, isPossiblyDone: scenario.job != "write",
        advice: [advice, NoRoomTests.room])
    }
  }
}
