import TestKit
import Testing

extension Faults {
  /// Faults on the other thread that writes the changes of a closure while the closure continues.
  @Suite(.serialized) struct ManyRowsTests {
    private static let job = "migrate-many"

    /// Where a fault is certain to come: how often pages are read and written differs a little from
    /// run to run.
    private static func points(_ count: Int) -> [Int] {
      if case .only(let point) = Extent.current { return [point] }
      let most = Extent.current == .all ? 80 : 4
      return (0..<most).map { 1 + $0 * count / (most + 1) }
    }

    @Test(arguments: ["statement", "write+sync"])
    func `A killed process leaves a file that the next one can migrate`(events: String) throws {
      let scenario = try Scenario.of(Self.job)
      let points = Self.points(try scenario.count(events))
      let remains = Remains(scenario)
      let kills = Sweep.run(points, { "killed with at=\(events):\($0)" }) {
        try KillTests.kill(scenario, events, at: $0, [], remains)
      }
      print("\(Self.job), \(events): \(Kill.summary(kills))")
      guard points.count > 1 else { return }
      expectTrue(kills.contains { $0.wasInTransaction })
    }

    @Test(arguments: ["full", "failing write", "failing read"])
    func `A defect of the disk is an error, and the process can continue`(name: String) throws {
      let defect = try #require(NoRoomTests.defects.first { $0.name == name })
      let scenario = try Scenario.of(Self.job)
      let points = Self.points(try scenario.count(defect.events))
      let outcomes = Sweep.run(points, { "\(name) with \(defect.fault(at: $0))" }) {
        try Failure.run(
          scenario, defect.fault(at: $0), isPossiblyDone: true, advice: [defect.advice])
      }
      print("\(Self.job), \(name): \(NoRoomTests.summary(outcomes))")
      expectTrue(outcomes.contains(.failed) || points.count == 1)
    }
  }
}
