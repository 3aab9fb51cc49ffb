import Strata
import Synchronization

/// Metrics of the library's work on the files of all tenants. A program with swift-metrics can use
/// `.metrics()` instead, with the package trait `Metrics`.
final class FileMetrics: RealmActivityObserver {
  private struct Times {
    var count = 0
    var seconds = 0.0

    mutating func add(_ duration: Duration) {
      count += 1
      seconds += duration / .seconds(1)
    }
  }

  private struct State {
    var commits = Times()
    var waits = Times()
    var rollbacks = 0
    var slowQueries = 0
  }

  private let state = Mutex(State())

  func didEnd(
    _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
  ) {
    state.withLock { state in
      switch activity.kind {
      case .write where result.isComplete: state.commits.add(result.duration - result.waited)
      case .write: state.rollbacks += 1
      case .waitForWriter: state.waits.add(result.duration)
      case .query: state.slowQueries += 1
      case .open, .migrate, .refresh, .checkpoint, .backup: break
      }
    }
  }

  func add(to text: inout MetricsText) {
    let state = state.withLock { $0 }
    text.add("strata_commit_duration_seconds", "summary", "Transactions without their waiting.")
    text.add(state.commits.seconds, state.commits.count)
    text.add("strata_writer_wait_seconds", "summary", "Waiting for other transactions.")
    text.add(state.waits.seconds, state.waits.count)
    text.add("strata_rollbacks_total", "counter", "Transactions that were taken back.")
    text.add([:], Double(state.rollbacks))
    text.add("strata_slow_queries_total", "counter", "Queries of more than 100 ms.")
    text.add([:], Double(state.slowQueries))
  }
}
