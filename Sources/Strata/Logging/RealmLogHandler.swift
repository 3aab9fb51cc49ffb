import Logging

/// What a logger with a level of RealmSwift's does: it may be off, and hands events to another handler
/// or to a closure.
struct RealmLogHandler: LogHandler {
  enum Output: Sendable {
    case handler(any LogHandler)
    case closure(@Sendable (LogLevel, String) -> Void)
  }

  var level: LogLevel
  private var output: Output
  var metadata: Logging.Logger.Metadata = [:]
  var metadataProvider: Logging.Logger.MetadataProvider?

  init(_ level: LogLevel, _ output: Output) {
    self.level = level
    self.output = output
    passOnLevel()
  }

  /// Swift-log has no level for nothing: the handler leaves events out.
  var logLevel: Logging.Logger.Level {
    get { level.swiftLogLevel ?? .critical }
    set {
      level = LogLevel(newValue)
      passOnLevel()
    }
  }

  subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    guard LogLevel(event.level) <= level else { return }
    var event = event
    let known = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
    let all = known.merging(event.metadata ?? [:]) { $1 }
    switch output {
    case .handler(let handler):
      event.metadata = all.isEmpty ? nil : all
      handler.log(event: event)
    case .closure(let closure):
      let facts = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let end = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
      closure(LogLevel(event.level), "\(event.message)\(end)")
    }
  }

  func setting(_ level: LogLevel) -> RealmLogHandler {
    var handler = self
    handler.level = level
    handler.passOnLevel()
    return handler
  }

  private mutating func passOnLevel() {
    guard case .handler(var handler) = output else { return }
    handler.logLevel = logLevel
    output = .handler(handler)
  }
}
