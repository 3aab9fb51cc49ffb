import Synchronization

/// A running activity, whose end is reported to the observers once. An activity that is released
/// before `end` is called is reported as abandoned.
package final class RunningActivity: Sendable {
  private let observers: ActivityObservers
  private let activities: [RealmActivity]
  /// The value that each observer returned at the beginning.
  let begun: [(any Sendable)?]
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  private struct State: Sendable {
    var hasEnded = false
    /// The time spent waiting for other writers.
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

  /// Notifies the observers of the end.
  ///
  /// - Parameter result: The result; its times are filled in here.
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

  /// Notifies the observers that an error has ended the activity.
  package func failed(_ error: any Error) {
    end(RealmActivityResult(duration: .zero, isComplete: false, error: error as? RealmError))
  }

  /// Reports the time spent waiting for other writers.
  func recordWait() {
    let time = ContinuousClock.now - start
    state.withLock { $0.waited = time }
    observers.record(
      RealmActivity(.waitForWriter, file: observers.file), RealmActivityResult(duration: time),
      within: self)
  }
}

extension RunningActivity? {
  /// Runs a closure as the activity, and reports how the closure ended.
  package func measure<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
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
  /// Returns the name behind the first `FROM` that is followed by a name, or nil.
  static func name(in sql: String) -> String? {
    var rest = sql[...]
    while let from = rest.firstRange(of: "FROM ") {
      rest = rest[from.upperBound...]
      guard rest.first == "\"" else { continue }
      return quoted(rest.dropFirst())
    }
    return nil
  }

  /// Returns a name up to its quotation mark. Two marks in a row are one mark of the name.
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
