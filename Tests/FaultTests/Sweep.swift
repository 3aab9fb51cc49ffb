import Dispatch
import Synchronization
import Testing

/// Tries many points of failure, several at a time.
enum Sweep {
  /// - Parameter body: Tries one point; says what it saw.
  static func run<Seen: Sendable>(
    _ points: [Int], _ name: @Sendable (Int) -> String,
    _ body: @Sendable (Int) throws -> Seen
  ) -> [Seen] {
    let seen = Mutex<[Seen]>([])
    let failures = Mutex<[(point: Int, error: any Error)]>([])
    DispatchQueue.concurrentPerform(iterations: points.count) { index in
      let point = points[index]
      do {
        let result = try body(point)
        seen.withLock { $0.append(result) }
      } catch {
        failures.withLock { $0.append((point, error)) }
      }
    }
    let failed = failures.withLock { $0 }.sorted { $0.point < $1.point }
    for (point, error) in failed.prefix(5) {
      Issue.record("\(name(point)): \(error). Again: STRATA_FAULTS=\(point)")
    }
    if failed.count > 5 {
      Issue.record("and at \(failed.count - 5) more points: \(failed.dropFirst(5).map(\.point))")
    }
    return seen.withLock { $0 }
  }
}
