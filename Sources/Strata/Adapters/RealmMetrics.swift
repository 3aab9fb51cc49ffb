#if Metrics
  public import CoreMetrics
  import StrataStorage
  import Synchronization

  /// Metrics of the work with files, for programs that use swift-metrics. Needs the package trait
  /// `Metrics`.
  ///
  /// ```swift
  /// configuration.observers = [.metrics()]
  /// ```
  /// See docs/servers.md for the list. Each metric has the dimension `db_namespace`, the file's
  /// name.
  public final class RealmMetrics: RealmActivityObserver {
    public let slowQueryThreshold: Duration
    private let factory: (any MetricsFactory)?
    private let followsConventions: Bool
    private let namespace: @Sendable (_ file: String) -> String?
    private let files = Mutex<[String?: FileMetrics]>([:])

    /// Describes the metrics.
    ///
    /// - Parameters:
    ///   - factory: The factory of the metrics; nil for `MetricsSystem.factory`.
    ///   - semanticConventions: Whether to add `db.client.operation.duration`, as OpenTelemetry
    ///     names it.
    ///   - slowQueryThreshold: The duration from which a query is counted; `.zero` for each query.
    ///   - namespace: The value of `db_namespace` for a file; nil for none. A program with many
    ///     files should give all of them the same one.
    public init(
      factory: (any MetricsFactory)? = nil, semanticConventions: Bool = false,
      slowQueryThreshold: Duration = .milliseconds(100),
      namespace: @escaping @Sendable (_ file: String) -> String? = { $0 }
    ) {
      self.factory = factory
      followsConventions = semanticConventions
      self.slowQueryThreshold = slowQueryThreshold
      self.namespace = namespace
    }

    public func didEnd(
      _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
    ) {
      let metrics = metrics(of: activity.file)
      metrics.record(activity, result)
      guard followsConventions, let name = Self.operation(of: activity) else { return }
      var dimensions = [("db.system.name", "sqlite"), ("db.operation.name", name)]
      if let space = namespace(activity.file) { dimensions.append(("db.namespace", space)) }
      if let table = activity.className { dimensions.append(("db.collection.name", table)) }
      if let error = result.error { dimensions.append(("error.type", "\(error.code)")) }
      metrics.record("db.client.operation.duration", result.duration, exactly: dimensions)
    }

    public func sample(_ status: RealmFileStatus) { metrics(of: status.file).record(status) }

    private func metrics(of file: String) -> FileMetrics {
      let space = namespace(file)
      return files.withLock { files in
        if let known = files[space] { return known }
        let made = FileMetrics(
          factory ?? MetricsSystem.factory, space.map { [("db_namespace", $0)] } ?? [])
        files[space] = made
        return made
      }
    }

    /// The name of an operation that a caller waits for; nil for other activities.
    private static func operation(of activity: RealmActivity) -> String? {
      switch activity.kind {
      case .query: "SELECT"
      case .open, .migrate, .write, .backup: activity.kind.rawValue
      case .waitForWriter, .refresh, .checkpoint: nil
      }
    }
  }

  extension RealmActivityObserver where Self == RealmMetrics {
    /// Metrics of the work with files: see ``RealmMetrics``.
    public static func metrics(
      factory: (any MetricsFactory)? = nil, semanticConventions: Bool = false
    ) -> RealmMetrics {
      RealmMetrics(factory: factory, semanticConventions: semanticConventions)
    }
  }

  /// The metrics of all files with one name.
  final class FileMetrics: Sendable {
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]
    private let timers = Mutex<[String: CoreMetrics.Timer]>([:])
    private let counters = Mutex<[String: Counter]>([:])
    private let gauges = Mutex<[String: Gauge]>([:])

    init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
      self.factory = factory
      self.dimensions = dimensions
    }

    func record(_ activity: RealmActivity, _ result: RealmActivityResult) {
      switch activity.kind {
      case .write: recordWrite(result)
      case .waitForWriter: record("strata_writer_wait_seconds", result.duration)
      case .query:
        let table = activity.className.map { [("class", $0)] } ?? []
        record("strata_query_duration_seconds", result.duration, table)
        count("strata_slow_queries_total", 1, table)
      case .checkpoint:
        record("strata_checkpoint_duration_seconds", result.duration)
        if !result.isComplete { count("strata_checkpoints_incomplete_total") }
      case .open: record("strata_open_duration_seconds", result.duration)
      case .migrate: record("strata_migration_duration_seconds", result.duration)
      case .backup: record("strata_backup_duration_seconds", result.duration)
      case .refresh: break
      }
    }

    private func recordWrite(_ result: RealmActivityResult) {
      guard result.isComplete else {
        let error = result.error.map { [("error", "\($0.code)")] } ?? []
        return count("strata_rollbacks_total", 1, error)
      }
      count("strata_commits_total")
      if let rows = result.rowsWritten, rows > 0 { count("strata_rows_written_total", rows) }
      record("strata_commit_duration_seconds", result.duration - result.waited)
    }

    func record(_ status: RealmFileStatus) {
      set("strata_writers_waiting", status.writersWaiting)
      set("strata_versions_kept", status.versionsKept)
      set("strata_oldest_version_age_seconds", status.oldestVersionAge / .seconds(1))
      set("strata_wal_bytes", Double(status.walBytes))
      set("strata_file_bytes", Double(status.fileBytes))
      if let lag = status.replicaLag { set("strata_replica_lag_seconds", lag / .seconds(1)) }
      if let hasProblem = status.hasReplicaProblem {
        set("strata_replica_problem", hasProblem ? 1 : 0)
      }
      for (consumer, behind) in status.behind {
        set("strata_history_behind", behind, [("consumer", consumer)])
      }
    }

    // MARK: Making

    /// Records a duration in a metric that has exactly these dimensions.
    func record(_ label: String, _ time: Duration, exactly dimensions: [(String, String)]) {
      made(timers, label, dimensions) {
        CoreMetrics.Timer(label: label, dimensions: dimensions, factory: factory)
      }.recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    private func record(
      _ label: String, _ time: Duration, _ more: [(String, String)] = []
    ) {
      record(label, time, exactly: dimensions + more)
    }

    private func count(_ label: String, _ number: Int = 1, _ more: [(String, String)] = []) {
      let dimensions = dimensions + more
      made(counters, label, dimensions) {
        Counter(label: label, dimensions: dimensions, factory: factory)
      }.increment(by: number)
    }

    private func set(_ label: String, _ value: Int, _ more: [(String, String)] = []) {
      gauge(label, more).record(value)
    }

    private func set(_ label: String, _ value: Double) { gauge(label, []).record(value) }

    private func gauge(_ label: String, _ more: [(String, String)]) -> Gauge {
      let dimensions = dimensions + more
      return made(gauges, label, dimensions) {
        Gauge(label: label, dimensions: dimensions, factory: factory)
      }
    }

    /// The metric with a label and dimensions, cached: the factory would look for it under a lock
    /// of all metrics of the program.
    ///
    /// The factory is the program's, and may do anything, so it is called outside of the lock. If
    /// two threads make the same metric, the first one stays. The other is released but not
    /// destroyed, because the factory may treat both as one.
    private func made<Metric: Sendable>(
      _ all: borrowing Mutex<[String: Metric]>, _ label: String,
      _ dimensions: [(String, String)], _ make: () -> Metric
    ) -> Metric {
      let key = dimensions.reduce(into: label) { $0 += "\u{0}\($1.0)\u{0}\($1.1)" }
      if let metric = all.withLock({ $0[key] }) { return metric }
      let metric = make()
      return all.withLock { known in
        if let first = known[key] { return first }
        known[key] = metric
        return metric
      }
    }
  }
#endif
