import TestKit
import Testing

extension Faults {
  /// A disk that is full, or fails: the result is an error, an unchanged file, and a running
  /// process.
  @Suite(.serialized) struct NoRoomTests {
    /// An error of the disk for SQLite, and the advice that the message must have.
    struct Defect: CustomTestStringConvertible {
      var name: String
      var events: String
      var code: Int32
      var advice: String
      var lasts = false

      var testDescription: String { name }

      func fault(at point: Int) -> [String] {
        ["at=\(events):\(point)", "code=\(code)"] + (lasts ? ["for=all"] : [])
      }
    }

    static let room = "The disk is full. Free some space and try again."
    static let disk = "The disk or its file system failed: check both and try again."
    static let access = "Check that the file and its folder may be read and written."

    static let defects = [
      Defect(name: "full", events: "write", code: 13, advice: room, lasts: true),
      Defect(name: "full once", events: "write", code: 13, advice: room),
      Defect(name: "failing write", events: "write", code: 778, advice: disk),
      Defect(name: "failing sync", events: "sync+truncate", code: 1034, advice: disk),
      Defect(name: "failing read", events: "read", code: 266, advice: disk),
      Defect(name: "failing open", events: "open", code: 14, advice: access),
      Defect(name: "failing lock", events: "lock", code: 3850, advice: disk),
      Defect(name: "failing shared memory", events: "shm", code: 5386, advice: disk),
      Defect(name: "failing delete", events: "delete", code: 2570, advice: disk),
    ]

    static let jobs = Extent.current.jobs(
      [
        "migrate", "migrate-no-block", "write", "write-keeping-open", "create", "free-changes",
        "start-over", "compact", "convert", "rehearse",
      ], sample: ["migrate", "write-keeping-open", "convert", "rehearse"])

    @Test(arguments: jobs, defects)
    func `A defect of the disk is an error, and the process can continue`(
      job: String, defect: Defect
    ) throws {
      let scenario = try Scenario.of(job)
      let count = try scenario.count(defect.events)
      let points = Extent.current.points(count, sample: 2)
      let outcomes = Sweep.run(points, { "'\(job)' with \(defect.fault(at: $0))" }) {
        // Of a write, an error says that nothing is written; an opened file is looked at again.
        try Failure.run(
          scenario, defect.fault(at: $0), isPossiblyDone: !job.hasPrefix("write"),
          advice: [defect.advice])
      }
      print("\(job), \(defect.name): \(Self.summary(outcomes)) of \(count)")
    }

    /// SQLite's check of the copy reports such a page among the damages.
    @Test func `A page that the disk can't read is an error of the disk`() throws {
      let scenario = try Scenario.of("rehearse")
      let points = Array(stride(from: 1, through: try scenario.count("read"), by: 8))
      let outcomes = Sweep.run(points, { "'rehearse' with a failing read at \($0)" }) {
        try Failure.run(
          scenario, ["at=read:\($0)", "code=266"], isPossiblyDone: true, advice: [Self.disk])
      }
      expectTrue(outcomes.contains(.failed))
    }

    static func summary(_ outcomes: [Failure.Outcome]) -> String {
      "\(outcomes.count) tried, \(outcomes.count { $0 == .failed }) threw"
    }
  }
}
