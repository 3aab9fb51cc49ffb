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
#endif
