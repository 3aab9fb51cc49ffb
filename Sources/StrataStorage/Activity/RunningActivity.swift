import Synchronization

/// Something that goes on, of whose end the observers are told once. When nobody says how it ended,
/// it was given up.
package final class RunningActivity: Sendable {
  private let observers: ActivityObservers
  private let activities: [RealmActivity]
  /// What each observer returned at the beginning.
  let begun: [(any Sendable)?]
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  private struct State: Sendable {
    var hasEnded = false
    /// How long it waited for other writers.
    var waited = Duration.zero
  }

  init(
    of observers: ActivityObservers, _ activities: [RealmActivity], _ begun: [(any Sendable)?]
  ) {
    self.observers = observers
    self.activities = activities
    self.begun = begun
  }

  deinit { end(RealmActivityResult(duration: .zero, isComplete: false)) }

  /// Tells that it is over.
  ///
  /// - Parameters:
  ///   - result: How it went; the times are known here.
  ///   - author: Who wrote, if that is known now.
  package func end(_ result: RealmActivityResult, author: String? = nil) {
    let now = ContinuousClock.now
    let waited = state.withLock { state -> Duration? in
      defer { state.hasEnded = true }
      return state.hasEnded ? nil : state.waited
    }
    guard let waited else { return }
    var result = result
    result.duration = now - start
    result.waited = waited
    var activities = activities
    if let author {
      for index in activities.indices { activities[index].author = author }
    }
    observers.end(activities, result, begun)
  }

  /// Tells that it is over because of an error.
  package func failed(_ error: any Error) {
    end(RealmActivityResult(duration: .zero, isComplete: false, error: error as? RealmError))
  }

  /// Has waited for other writers until now: tells it.
  func hasWaited() {
    let time = ContinuousClock.now - start
    state.withLock { $0.waited = time }
    observers.note(
      RealmActivity(.waitForWriter, file: observers.file), RealmActivityResult(duration: time),
      within: self)
  }
}

extension RunningActivity? {
  /// Runs a closure that does it, and tells how it ended.
  package func ends<Result>(with body: () throws -> Result) rethrows -> Result {
    do {
      let value = try body()
      self?.end(RealmActivityResult(duration: .zero))
      return value
    } catch {
      self?.failed(error)
      throw error
    }
  }
}

/// The table that a statement of the library reads first.
enum ReadTable {
  /// The name behind the first `FROM` that has a name; nil for a statement without one.
  static func name(in sql: String) -> String? {
    var rest = sql[...]
    while let from = rest.firstRange(of: "FROM ") {
      rest = rest[from.upperBound...]
      guard rest.first == "\"" else { continue }
      return quoted(rest.dropFirst())
    }
    return nil
  }

  /// A name up to its quotation mark; two of them are one in the name.
  private static func quoted(_ text: Substring) -> String? {
    var name = ""
    var rest = text
    while let end = rest.firstIndex(of: "\"") {
      name += rest[..<end]
      rest = rest[rest.index(after: end)...]
      guard rest.first == "\"" else { return name }
      name += "\""
      rest = rest.dropFirst()
    }
    return nil
  }
}
