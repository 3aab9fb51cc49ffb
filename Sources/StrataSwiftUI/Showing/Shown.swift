import IssueReporting
public import Strata

/// A value of a realm that a view shows: a frozen copy, which is replaced after each change.
///
/// The copy is frozen because SwiftUI keeps the shown values and compares them with new ones. No
/// file is read before the value is first requested, so creating an instance costs nothing: SwiftUI
/// creates many, and keeps the first.
@MainActor
package final class Shown<Value: RealmSubscribable> {
  private let keyPaths: [String]?
  private let make: () -> Value
  /// The last given value.
  private var given: Value?
  /// The observed value; nil for an unmanaged one.
  private var live: Value?
  /// The last shown value. It stays when the live one is deleted.
  private var last: Value?
  /// The version that was shown when observation began, until the first call.
  private var beginning: Realm?
  private var token: NotificationToken?
  private let trigger: Trigger
  /// The reason why no newer value is shown.
  package private(set) var error: (any Error)?

  /// - Parameters:
  ///   - keyPaths: The observed properties; nil for all.
  ///   - trigger: The trigger that is fired after each change.
  ///   - make: Returns the first value, when it is requested.
  package init(
    keyPaths: [String]? = nil, trigger: Trigger = Trigger(), _ make: @escaping () -> Value
  ) {
    self.keyPaths = keyPaths
    self.trigger = trigger
    self.make = make
  }

  /// The value to show now. The view that reads it is computed again after each change.
  package var value: Value {
    trigger.record()
    let shown = last ?? begin()
    if live == nil, shown.realm != nil, !shown.isInvalidated { follow(shown) }
    guard let live, !live.isInvalidated else { return last ?? shown }
    let newest = live.freeze()
    if last?.realm != newest.realm { last = newest }
    return last ?? newest
  }

  /// The last shown value, to which the positions selected by the user refer.
  package var displayed: Value { last ?? value }

  /// Shows another value from now on, unless it is the same in the file.
  package func show(_ other: Value) {
    let current = last ?? begin()
    if let given, given as AnyObject === other as AnyObject { return }
    given = other
    guard !current._isSame(as: other) else { return }
    replace(with: other)
  }

  /// Changes the value in a transaction, and shows the result at once.
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

  /// Returns the value to show for one that was deleted before it was shown, because nothing of it
  /// can be read.
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
    token = live._subscribe(keyPaths) { [weak self] news in self?.receive(news) }
  }

  private func receive(_ news: _Subscription) {
    switch news {
    case .initial:
      let isShown = live.map { !$0.isInvalidated && $0.freeze().realm == beginning } ?? true
      beginning = nil
      if isShown { return }
    case .changed: break
    case .failed(let error):
      self.error = error
      reportIssue("A view can't show further changes: \(error)")
    }
    trigger.fire()
  }
}

/// A value that a view can show and observe: an object, a collection, sections, or a projection.
///
/// The types of Strata conform. Other types need not.
public protocol RealmSubscribable: ThreadConfined {
  /// Calls a closure after each change, in the realm's isolation.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the observed properties; nil for all.
  ///   - news: The closure.
  func _subscribe(_ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void)
    -> NotificationToken

  /// Whether both are the same in the file, frozen or not.
  func _isSame(as other: Self) -> Bool
}

/// The event of a subscription.
public enum _Subscription {
  /// The first call, if the type has one. Earlier commits are not reported.
  case initial
  /// The value has changed.
  case changed
  /// The value can't be read any more. This is the last call.
  case failed(any Error)
}

extension ObjectBase: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      if case .error(let error) = change { news(.failed(error)) } else { news(.changed) }
    }
  }

  public func _isSame(as other: ObjectBase) -> Bool { isSameObject(as: other) }
}

extension Projection: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      if case .error(let error) = change { news(.failed(error)) } else { news(.changed) }
    }
  }

  public func _isSame(as other: Projection) -> Bool { self == other }
}

extension RealmSubscribable where Self: RealmCollection {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      case .error(let error): news(.failed(error))
      }
    }
  }
}

extension List: RealmSubscribable {
  public func _isSame(as other: List) -> Bool { self == other }
}

extension MutableSet: RealmSubscribable {
  public func _isSame(as other: MutableSet) -> Bool { self == other }
}

extension Map: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      case .error(let error): news(.failed(error))
      }
    }
  }

  public func _isSame(as other: Map) -> Bool { self == other }
}

// Queries can't be compared, so another query is always observed as a new one.

extension Results: RealmSubscribable {
  public func _isSame(as other: Results) -> Bool { false }
}

extension LinkingObjects: RealmSubscribable {
  public func _isSame(as other: LinkingObjects) -> Bool { false }
}

extension SectionedResults: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      }
    }
  }

  public func _isSame(as other: SectionedResults) -> Bool { false }
}
