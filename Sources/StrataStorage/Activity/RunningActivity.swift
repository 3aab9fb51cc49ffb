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
    guard let start = sql.firstRange(of: "FROM \"")?.upperBound else { return nil }
    // Two quotation marks in a row are one mark of the name, and no name has the character NUL.
    let rest = sql[start...].replacing("\"\"", with: "\0")
    return rest.firstIndex(of: "\"").map { String(rest[..<$0]).replacing("\0", with: "\"") }
  }
}
