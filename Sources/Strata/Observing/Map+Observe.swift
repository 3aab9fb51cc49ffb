public import Dispatch
import IssueReporting
import StrataStorage

extension Map {
  /// Calls a closure with the map, and again after each change, which is reported by keys.
  ///
  /// An entry whose object was deleted has the value nil and counts as modified. See `observe` of
  /// collections for where and when the closure is called.
  /// - Parameters:
  ///   - keyPaths: The properties to observe where values are objects; nil for all.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor with the map, and again after each change.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(keyPaths, .actor(actor)) { call($0) }
  }

  /// Calls a closure with the map, and again after each change of the given properties of its
  /// objects.
  public func observe<Target: ObjectBase>(
    keyPaths: [PartialKeyPath<Target>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == Target? {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(names, ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor with the map, and again after each change of the given properties
  /// of its objects.
  public func observe<A: Actor, Target: ObjectBase>(
    keyPaths: [PartialKeyPath<Target>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == Target? {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    guard let observed = _observed() else {
      reportIssue("\(ErrorText.unmanagedCollectionNotifications)")
      return NotificationToken()
    }
    return observed.session.observe(target, hasInitial: true) { () throws(RealmError) in
      try observed.source(keyPaths)
    } _: { change, session in
      if let change = observed.mapChange(change, session) { block(change) }
    }
  }
}

extension _Observed {
  /// Converts a change of the source into the change for the caller.
  func mapChange<Key, Value>(
    _ change: SourceChange, _ session: Session
  ) -> RealmMapChange<Collection>? where Collection == Map<Key, Value> {
    switch change {
    case .initial: return .initial(shown(session))
    case .entries(let changes, _):
      return .update(
        shown(session), deletions: changes.deletions.map { Key(_text: $0) },
        insertions: changes.insertions.map { Key(_text: $0) },
        modifications: changes.modifications.map { Key(_text: $0) })
    case .failed(let error): return .error(error)
    case .elements, .properties, .touched, .deleted: return nil
    }
  }
}
