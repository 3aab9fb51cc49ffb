public import Dispatch
import IssueReporting
import StrataStorage

extension ProjectedCollection {
  /// Calls a closure with the values, and again after each change of them.
  ///
  /// Elements that come and go count, and those whose projected property is set. Where the closure
  /// is called, and when: see `observe` of collections.
  /// - Parameters:
  ///   - keyPaths: What counts of the objects; nil for what is projected of them.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor with the values, and again after each change of them.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
  ) async -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(keyPaths, .actor(actor)) { call($0) }
  }

  private func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    guard let observed = source.observed() else {
      reportIssue("\(ErrorText.unmanagedCollectionNotifications)")
      return NotificationToken()
    }
    let translation = observed.translation
    return observed.session.observe(target, hasInitial: true) { () throws(RealmError) in
      try observed.source(keyPaths)
    } _: { change, session in
      if let change = translation(change, session) { block(change) }
    }
  }
}
