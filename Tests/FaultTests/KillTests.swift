import TestKit
import Testing

/// All tests that start processes. They are serialized, since each uses all processors.
@Suite(.serialized) enum Faults {}

extension Faults {
  /// A process that is killed at any moment. The next process finds the old or the new file, and
  /// can use it.
  @Suite(.serialized) struct KillTests {
    static let jobs = Extent.current.jobs(
      [
        "migrate", "migrate-no-block", "write", "create", "free-changes", "start-over", "compact",
        "convert", "consume", "begin-history", "restore-over",
      ],
      sample: [
        "migrate", "write", "start-over", "convert", "consume", "begin-history", "restore-over",
      ])

    @Test(arguments: jobs + ["seed"])
    func `A process may be killed before each statement`(job: String) throws {
      try sweep(.of(job), "statement")
    }

    @Test(arguments: jobs)
    func `A process may be killed before each change of a file`(job: String) throws {
      try sweep(.of(job), "write+sync+truncate+delete")
    }

    @Test(arguments: jobs)
    func `A process may be killed in the middle of each write`(job: String) throws {
      try sweep(.of(job), "write", ["half"])
    }

    @Test(
      arguments: Extent.current.jobs(
        ["migrate", "write", "start-over", "compact"], sample: ["migrate"]))
    func `A process may be killed after another one that left a WAL`(job: String) throws {
      try sweep(.of(job, hot: true), "write+sync+truncate+delete", ["half"])
    }

    private func sweep(
      _ scenario: Scenario, _ events: String, _ options: [String] = []
    ) throws {
      let count = try scenario.count(events)
      let points = Extent.current.points(count, sample: scenario.job == "migrate" ? 6 : 3)
      let remains = Remains(scenario)
      let kills = Sweep.run(
        points, { "'\(scenario.job)' killed with at=\(events):\($0) \(options)" }
      ) { try Self.kill(scenario, events, at: $0, options, remains) }
      print("\(scenario.job), \(events) \(options): \(Kill.summary(kills)) of \(count)")
      guard points.count > 1 else { return }
      expectTrue(kills.contains { $0.wasInTransaction })
      // A converted file gets its name when all of it is written.
      if events != "statement", scenario.before != scenario.after, scenario.job != "convert" {
        expectTrue(kills.contains { $0.state == .after })
      }
    }

    /// How often a process is started that has fewer events than another one had.
    private static let maxAttempts = 5

    /// Kills the process there, looks at the file, and lets another process finish.
    static func kill(
      _ scenario: Scenario, _ events: String, at point: Int, _ options: [String],
      _ remains: Remains
    ) throws -> Kill {
      let fault = ["at=\(events):\(point)"] + options
      var folder = try scenario.newFolder()
      var ending = try Worker.run(scenario.job, folder, fault)
      for _ in 1..<maxAttempts {
        guard !ending.isKilled, let count = ending.events, count < point else { break }
        folder = try scenario.newFolder()
        ending = try Worker.run(scenario.job, folder, fault)
      }
      guard ending.isKilled else {
        throw Wrong("it was not killed, but: \(ending)")
      }
      do {
        return Kill(
          wasInTransaction: ending.errors.contains("inside a transaction"),
          state: try remains.state(in: folder))
      } catch {
        throw Wrong("\(ending.errors)\(error)")
      }
    }
  }
}

/// The state that a killed process left.
struct Kill {
  var wasInTransaction: Bool
  var state: Scenario.State

  static func summary(_ kills: [Kill]) -> String {
    "\(kills.count) killed, \(kills.count(where: \.wasInTransaction)) in a transaction, "
      + "\(kills.count { $0.state == .after }) after the commit"
  }
}
