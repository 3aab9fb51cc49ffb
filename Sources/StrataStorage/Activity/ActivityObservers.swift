/// The observers of a file. Where there are none, there is no such object, and nothing is measured.
package final class ActivityObservers: Sendable {
  package let file: String
  private let observers: [any RealmActivityObserver]
  /// The time of the shortest query that any of them hears of.
  private let shortestQuery: Duration

  package init?(_ observers: [any RealmActivityObserver], file: @autoclosure () -> String) {
    guard let shortest = observers.map(\.slowQueryThreshold).min() else { return nil }
    self.observers = observers
    self.file = file()
    shortestQuery = shortest
  }

  /// Tells that something begins.
  ///
  /// - Parameters:
  ///   - outer: What it is a part of.
  ///   - caller: What each observer said of the caller, where it is a part of nothing.
  package func begin(
    _ kind: RealmActivity.Kind, within outer: RunningActivity? = nil,
    for caller: [(any Sendable)?] = []
  ) -> RunningActivity {
    let activities = activities(RealmActivity(kind, file: file), within: outer?.begun ?? caller)
    return RunningActivity(
      of: self, activities, zip(observers, activities).map { $0.willBegin($1) })
  }

  /// Tells of something that is over, and of whose beginning nobody was told.
  func note(
    _ activity: RealmActivity, _ result: RealmActivityResult, within outer: RunningActivity?
  ) {
    for (observer, activity) in zip(observers, activities(activity, within: outer?.begun ?? [])) {
      observer.didEnd(activity, result, nil)
    }
  }

  /// Tells those of a query for whom it was slow.
  package func noteQuery(
    _ statement: RealmStatement, took duration: Duration, rows: Int? = nil,
    error: RealmError? = nil, within outer: RunningActivity?
  ) {
    guard duration >= shortestQuery else { return }
    let activity = RealmActivity(
      .query, file: file, className: ReadTable.name(in: statement.sql))
    let result = RealmActivityResult(
      duration: duration, isComplete: error == nil, rowsReturned: rows, statement: statement,
      error: error)
    for (observer, activity) in zip(observers, activities(activity, within: outer?.begun ?? []))
    where duration >= observer.slowQueryThreshold {
      observer.didEnd(activity, result, nil)
    }
  }

  func end(
    _ activities: [RealmActivity], _ result: RealmActivityResult, _ begun: [(any Sendable)?]
  ) {
    for (index, observer) in observers.enumerated() {
      observer.didEnd(activities[index], result, begun[index])
    }
  }

  package func sample(_ status: RealmFileStatus) {
    for observer in observers { observer.sample(status) }
  }

  /// The activity for each observer, with what is its own of the outer one.
  private func activities(
    _ activity: RealmActivity, within outer: [(any Sendable)?]
  ) -> [RealmActivity] {
    observers.indices.map { index in
      var activity = activity
      activity.outer = index < outer.count ? outer[index] : nil
      return activity
    }
  }
}
