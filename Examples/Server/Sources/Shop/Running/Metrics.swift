import Strata
import Synchronization

/// The metrics of the server, in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Route: Hashable {
    var method: String
    var path: String
  }

  private struct Latencies {
    var counts = [Int](repeating: 0, count: Metrics.bounds.count)
    var count = 0
    var seconds = 0.0
  }

  private struct State {
    var requests: [Route: [Int: Int]] = [:]
    var latencies: [Route: Latencies] = [:]
    var conflicts: [String: Int] = [:]
    var sent = 0
    var failures = 0
  }

  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
  /// The metrics of the library's work on the files.
  let files = FileMetrics()
  // guarded by: itself.
  private let state = Mutex(State())

  func countRequest(_ method: String, _ path: String, status: Int, _ duration: Duration) {
    let seconds = duration / .seconds(1)
    let route = Route(method: method, path: path)
    state.withLock { state in
      state.requests[route, default: [:]][status, default: 0] += 1
      var latencies = state.latencies[route] ?? Latencies()
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
        latencies.counts[index] += 1
      }
      latencies.count += 1
      latencies.seconds += seconds
      state.latencies[route] = latencies
    }
  }

  func countConflict(_ code: String) { state.withLock { $0.conflicts[code, default: 0] += 1 } }

  func countSent(_ transactions: Int) { state.withLock { $0.sent += transactions } }

  func countFailure() { state.withLock { $0.failures += 1 } }

  /// The metrics as text for Prometheus.
  func text(_ tenants: [(name: TenantName, replica: ReplicaState?)]) -> String {
    var text = MetricsText()
    state.withLock { state in
      text.add("shop_requests_total", "counter", "Requests that were answered.")
      for (route, counts) in state.requests {
        for (status, count) in counts {
          text.add(
            ["method": route.method, "route": route.path, "status": "\(status)"], Double(count))
        }
      }
      let name = "shop_request_duration_seconds"
      text.add(name, "histogram", "From the head of a request to its answer.")
      for (route, latencies) in state.latencies {
        let labels = ["method": route.method, "route": route.path]
        for (bound, count) in zip(Self.bounds, latencies.counts) {
          text.add(labels.merging(["le": "\(bound)"]) { $1 }, Double(count), suffix: "_bucket")
        }
        text.add(labels.merging(["le": "+Inf"]) { $1 }, Double(latencies.count), suffix: "_bucket")
        text.add(labels, latencies.seconds, suffix: "_sum")
        text.add(labels, Double(latencies.count), suffix: "_count")
      }
      text.add("shop_conflicts_total", "counter", "Requests that were refused, by their code.")
      for (code, count) in state.conflicts { text.add(["code": code], Double(count)) }
      text.add("shop_outbox_sent_total", "counter", "Transactions that the receiver has taken.")
      text.add([:], Double(state.sent))
      text.add("shop_outbox_failures_total", "counter", "Times that the receiver took nothing.")
      text.add([:], Double(state.failures))
    }
    text.add("shop_tenants_open", "gauge", "Files that are open.")
    text.add([:], Double(tenants.count))
    text.add("shop_replica_lag_seconds", "gauge", "How old the state may be that is shown.")
    for (name, replica) in tenants {
      guard let lag = replica?.lag() else { continue }
      text.add(["tenant": "\(name)"], lag / .seconds(1))
    }
    text.add("shop_replica_problem", "gauge", "Whether the newest version isn't shown.")
    for (name, replica) in tenants {
      guard let replica else { continue }
      text.add(["tenant": "\(name)"], replica.problem == nil ? 0 : 1)
    }
    files.add(to: &text)
    return text.lines
  }
}

/// Lines of the text format of Prometheus.
struct MetricsText {
  private(set) var lines = ""
  private var name = ""

  mutating func add(_ name: String, _ kind: String, _ help: String) {
    self.name = name
    lines += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  /// The sum and the number of a summary.
  mutating func add(_ sum: Double, _ count: Int) {
    add([:], sum, suffix: "_sum")
    add([:], Double(count), suffix: "_count")
  }

  /// No value of a label needs escaping: routes, codes, and names of tenants.
  mutating func add(_ labels: [String: String], _ value: Double, suffix: String = "") {
    let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
    let braces = list.isEmpty ? "" : "{\(list.joined(separator: ","))}"
    lines += "\(name)\(suffix)\(braces) \(value)\n"
  }
}
