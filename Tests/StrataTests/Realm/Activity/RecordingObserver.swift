import Strata
import StrataTestKit
import Synchronization

/// An observer that notes what it hears as lines: `write began`, `write ended, 1 rows`.
final class RecordingObserver: RealmActivityObserver {
  let slowQueryThreshold: Duration
  private let heard = Heard<Line>()
  private let begun = Atomic<Int>(0)
  let statuses = Heard<RealmFileStatus>()

  struct Line: Sendable {
    var text: String
    var activity: RealmActivity
    var result: RealmActivityResult?
  }

  init(queriesLongerThan threshold: Duration = .seconds(600)) { slowQueryThreshold = threshold }

  var lines: [Line] { heard.all }

  var texts: [String] { lines.map(\.text) }

  /// The lines of one kind.
  func lines(_ kind: RealmActivity.Kind) -> [Line] { lines.filter { $0.activity.kind == kind } }

  func willBegin(_ activity: RealmActivity) -> (any Sendable)? {
    let number = begun.wrappingAdd(1, ordering: .relaxed).newValue
    heard.add(Line(text: "\(activity.kind) \(number)\(outer(activity)) began", activity: activity))
    return number
  }

  func didEnd(
    _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
  ) {
    let number = (begun as? Int).map { " \($0)" } ?? ""
    var text = "\(activity.kind)\(number)\(outer(activity)) ended"
    if let author = activity.author { text += " by \(author)" }
    if let table = activity.className { text += " of \(table)" }
    if let rows = result.rowsWritten { text += ", \(rows) written" }
    if let rows = result.rowsReturned { text += ", \(rows) returned" }
    if !result.isComplete { text += ", incomplete" }
    if let error = result.error { text += ", \(error.code)" }
    heard.add(Line(text: text, activity: activity, result: result))
  }

  func sample(_ status: RealmFileStatus) { statuses.add(status) }

  private func outer(_ activity: RealmActivity) -> String {
    (activity.outer as? Int).map { " in \($0)" } ?? ""
  }
}

extension TestFolder {
  /// A configuration of small classes that are observed.
  func observed(
    by observers: any RealmActivityObserver..., types: [ObjectBase.Type] = [Items.V1.Item.self],
    version: UInt64 = 0
  ) -> Realm.Configuration {
    var configuration = configuration(types, version: version)
    configuration.observers = observers
    return configuration
  }
}
