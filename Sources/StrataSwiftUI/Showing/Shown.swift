import IssueReporting
import Strata

/// Something of a realm as a view shows it: a frozen copy, which is replaced when there is news.
///
/// A frozen copy, because SwiftUI keeps what it has shown and compares it with what it is about to
/// show. Nothing is read of a file before the first value is asked for, so that making one costs
/// nothing: SwiftUI makes many, and keeps the first.
@MainActor
package final class Shown<Value: RealmSubscribable> {
  private let keyPaths: [String]?
  private let make: () -> Value
  /// What was given, last.
  private var given: Value?
  /// What is followed; nil for what is in no realm.
  private var live: Value?
  /// What was shown last. It stays when the live one is deleted.
  private var last: Value?
  /// The version that was shown when following began, until the first call.
  private var beginning: Realm?
  private var token: NotificationToken?
  private let trigger: Trigger
  /// Why nothing new is shown any more.
  package private(set) var error: (any Error)?

  /// - Parameters:
  ///   - keyPaths: What counts as news; nil for everything.
  ///   - trigger: What is fired when there is news.
  ///   - make: Gives what is shown first, when it is asked for.
  package init(
    keyPaths: [String]? = nil, trigger: Trigger = Trigger(), _ make: @escaping () -> Value
  ) {
    self.keyPaths = keyPaths
    self.trigger = trigger
    self.make = make
  }

  /// What to show now. The view that reads it is computed again when there is news.
  package var value: Value {
    trigger.note()
    let shown = last ?? begin()
    if live == nil, shown.realm != nil, !shown.isInvalidated { follow(shown) }
    guard let live, !live.isInvalidated else { return last ?? shown }
    let newest = live.freeze()
    if last?.realm != newest.realm { last = newest }
    return last ?? newest
  }

  /// What was shown last: what positions that the user has chosen are positions of.
  package var displayed: Value { last ?? value }

  /// Whether it was in a realm, and was deleted.
  package var isDeleted: Bool { live?.isInvalidated ?? false }

  /// Shows something else from now on, unless it is the same in the file.
  package func show(_ other: Value) {
    let current = last ?? begin()
    if let given, given as AnyObject === other as AnyObject { return }
    given = other
    guard !current._isSame(as: other) else { return }
    replace(with: other)
  }

  /// Changes it in a transaction, and shows that at once.
  package func change(_ change: (Value) -> Void) {
    let tokens = token.map { [$0] } ?? []
    if Writing.change(live ?? value, withoutNotifying: tokens, change) { trigger.fire() }
  }

  // MARK: Following

  private func begin() -> Value {
    let first = make()
    given = first
    replace(with: first)
    return first
  }

  private func replace(with other: Value) {
    token = nil
    live = nil
    beginning = nil
    error = nil
    last = other.isInvalidated ? Self.empty(of: other) : other
  }

  /// What is shown of something that was deleted before it was shown: nothing of it can be read.
  private static func empty(of deleted: Value) -> Value {
    func projection<Projected: ProjectionObservable>(of: Projected) -> Projected {
      Projected(projecting: Projected.Root())
    }
    return switch deleted {
    case let object as ObjectBase: type(of: object).init() as? Value ?? deleted
    case let shown as any ProjectionObservable: projection(of: shown) as? Value ?? deleted
    // A collection of a deleted object is empty.
    default: deleted
    }
  }

  private func follow(_ shown: Value) {
    guard let live = shown.thaw(), !live.isInvalidated else { return }
    self.live = live
    let configuration = live.realm?.configuration
    guard configuration?.readOnly != true || configuration?.replica != nil else { return }
    beginning = live.freeze().realm
    token = live._subscribe(keyPaths) { [weak self] news in self?.hear(news) }
  }

  private func hear(_ news: _Subscription) {
    switch news {
    case .initial:
      let isShown = live.map { !$0.isInvalidated && $0.freeze().realm == beginning } ?? true
      beginning = nil
      if isShown { return }
    case .changed: break
    case .failed(let error):
      self.error = error
      reportIssue("A view can't show what is new any more: \(error)")
    }
    trigger.fire()
  }
}
