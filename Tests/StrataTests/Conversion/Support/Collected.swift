import Synchronization

/// What closures hear, on any thread.
final class Collected<Value: Sendable>: Sendable {
  private let stored = Mutex<[Value]>([])

  var values: [Value] { stored.withLock { $0 } }

  func append(_ value: Value) { stored.withLock { $0.append(value) } }
}
