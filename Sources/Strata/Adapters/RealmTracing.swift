#if Tracing
  import StrataStorage
  public import Tracing

  /// Spans of the work with files, for programs that use swift-distributed-tracing. Needs the
  /// package trait `Tracing`.
  ///
  /// ```swift
  /// configuration.observers = [.tracing()]
  /// ```
  /// Names and attributes follow OpenTelemetry's conventions for databases: `write orders.sqlite`,
  /// `SELECT Order`. The parent of a span is the activity that contains it, or else the span of the
  /// calling task. Only slow queries have spans.
  public struct RealmTracing: RealmActivityObserver {
    public let slowQueryThreshold: Duration
    private let tracer: (any Tracer)?
    /// The shortest wait that gets a span.
    private static let shortestWait = Duration.milliseconds(1)

    /// Describes the spans.
    ///
    /// - Parameters:
    ///   - tracer: The tracer of the spans; nil for `InstrumentationSystem.tracer`.
    ///   - slowQueryThreshold: The duration from which a query has a span; `.zero` for each query.
    public init(
      tracer: (any Tracer)? = nil, slowQueryThreshold: Duration = .milliseconds(100)
    ) {
      self.tracer = tracer
      self.slowQueryThreshold = slowQueryThreshold
    }

    public func callerContext() -> (any Sendable)? { ServiceContext.current }

    public func willBegin(_ activity: RealmActivity) -> (any Sendable)? {
      switch activity.kind {
      // Each check for commits, and each thousand pages, would make a span.
      case .refresh, .checkpoint: return nil
      case .open, .migrate, .write, .waitForWriter, .query, .backup:
        let span: any Span = begin(activity, DefaultTracerClock.now)
        return span
      }
    }

    public func didEnd(
      _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
    ) {
      guard let span = begun as? any Span ?? late(activity, result) else { return }
      if let author = activity.author { span.attributes["strata.author"] = author }
      if let rows = result.rowsWritten { span.attributes["strata.rows_written"] = rows }
      if activity.kind == .write {
        span.attributes["strata.writer_wait_ms"] = result.waited / .milliseconds(1)
        span.attributes["strata.committed"] = result.isComplete
      }
      if let rows = result.rowsReturned { span.attributes["db.response.returned_rows"] = rows }
      if let statement = result.statement { span.attributes["db.query.text"] = statement.sql }
      if let error = result.error {
        span.attributes["error.type"] = "\(error.code)"
        if let code = error.sqliteCode {
          span.attributes["db.response.status_code"] = "\(code)"
        }
        span.setStatus(SpanStatus(code: .error, message: error.loggedMessage))
      }
      span.end()
    }

    /// The span of an activity that is reported only at its end.
    private func late(_ activity: RealmActivity, _ result: RealmActivityResult) -> (any Span)? {
      switch activity.kind {
      case .waitForWriter where result.duration < Self.shortestWait: nil
      case .waitForWriter, .query: begin(activity, Earlier(by: result.duration))
      case .open, .migrate, .write, .refresh, .checkpoint, .backup: nil
      }
    }

    private func begin(_ activity: RealmActivity, _ instant: some TracerInstant) -> any Span {
      let tracer: any Tracer = tracer ?? InstrumentationSystem.tracer
      return Self.begin(activity, instant, tracer)
    }

    private static func begin(
      _ activity: RealmActivity, _ instant: some TracerInstant, _ tracer: some Tracer
    ) -> any Span {
      let outer = (activity.outer as? any Span)?.context ?? activity.outer as? ServiceContext
      let name = name(of: activity)
      let span = tracer.startSpan(
        "\(name) \(activity.className ?? activity.file)",
        context: outer ?? ServiceContext.current ?? .topLevel, ofKind: .client, at: instant)
      span.attributes["db.system.name"] = "sqlite"
      span.attributes["db.namespace"] = activity.file
      span.attributes["db.operation.name"] = name
      if let table = activity.className { span.attributes["db.collection.name"] = table }
      return span
    }

    private static func name(of activity: RealmActivity) -> String {
      switch activity.kind {
      case .query: "SELECT"
      case .waitForWriter: "wait"
      case .open, .migrate, .write, .refresh, .checkpoint, .backup: activity.kind.rawValue
      }
    }

    /// The time at which an activity began, computed from its duration.
    private struct Earlier: TracerInstant {
      let nanosecondsSinceEpoch: UInt64

      init(by duration: Duration) {
        let nanoseconds = UInt64(max(0, duration / .nanoseconds(1)))
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        nanosecondsSinceEpoch = now - min(now, nanoseconds)
      }

      static func < (one: Earlier, other: Earlier) -> Bool {
        one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch
      }
    }
  }

  extension RealmActivityObserver where Self == RealmTracing {
    /// Spans of the work with files: see ``RealmTracing``.
    public static func tracing(tracer: (any Tracer)? = nil) -> RealmTracing {
      RealmTracing(tracer: tracer)
    }
  }
#endif
