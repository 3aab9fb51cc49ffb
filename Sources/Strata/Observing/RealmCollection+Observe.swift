public import Dispatch
import IssueReporting
import StrataQuery
import StrataStorage

extension _ObservableCollection {
  /// Calls a closure with the collection, and again after each change.
  ///
  /// The first call gets `initial`. Later calls get `update` with all changes of one or several
  /// transactions since the previous call. The closure is called on the isolation of the realm (the
  /// main actor, or the actor or queue that opened the realm) or on `queue`, never inside of a
  /// transaction. While the closure runs, all objects of the realm there show the snapshot of the
  /// change. A plain task or thread can't be woken: there `refresh()` and the begin of a write call
  /// the closure.
  ///
  /// ```swift
  /// let token = realm.objects(Person.self).where { $0.age > 30 }.observe { change in
  ///   switch change {
  ///   case .initial(let people): show(people)
  ///   case .update(let people, let deletions, let insertions, let modifications):
  ///     update(people, deletions, insertions, modifications)
  ///   case .error(let error): report(error)
  ///   }
  /// }
  /// ```
  /// An object counts as modified when one of its properties is set, or a property of an object
  /// that is at most three links away. The changes of a map are reported by keys; an entry whose
  /// object was deleted has the value nil and counts as modified. A projected collection reports
  /// the elements whose projected property is set.
  /// - Parameters:
  ///   - keyPaths: The names of the properties to observe, with dots through links (`dogs.name`),
  ///     and `*` for all properties of one class. Insertions and deletions are always reported. For
  ///     collections of objects only; nil for all properties, or for the projected one.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  ///
  /// An unmanaged, frozen or read-only collection and an invalid key path are reported through
  /// `IssueReporting`; the token is inactive then.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor with the collection, and again after each change.
  ///
  /// Like `observe(keyPaths:on:_:)` with a queue. The actor gets a realm of its own, which all
  /// calls and every `Realm.open()` on the actor share. All commits after the method returns are
  /// observed. If the task is already canceled, the token is inactive.
  ///
  /// ```swift
  /// token = await realm.objects(Person.self).observe(on: self) { actor, change in
  ///   actor.people = change
  /// }
  /// ```
  /// - Parameters:
  ///   - keyPaths: The properties to observe; nil for all.
  ///   - actor: The actor on which the closure is called. The observation doesn't retain the actor.
  ///   - isolation: The actor of the caller.
  ///   - block: The closure, which gets the actor.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: actor, block)
  }
}

extension _ObservableCollection where _ObservedElement: _ObjectShowing {
  /// Calls a closure with the collection, and again after each change of the given properties.
  ///
  /// Like `observe(keyPaths:on:_:)` with names. A key path that reads no stored or projected
  /// property is reported through `IssueReporting`; the token is inactive then.
  /// - Parameters:
  ///   - keyPaths: The properties to observe, such as `\.name` and `\.dog?.name`.
  ///   - queue: A serial queue; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    guard let names = _ObservedElement._observedNames(of: keyPaths, inCollection: true) else {
      return NotificationToken()
    }
    return observe(keyPaths: names, on: queue, block)
  }

  /// Calls a closure on an actor with the collection, and again after each change of the given
  /// properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    guard let names = _ObservedElement._observedNames(of: keyPaths, inCollection: true) else {
      return NotificationToken()
    }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}

/// Returns the names of the properties that the key paths read. Reports a key path that reads no
/// property, and returns nil.
func observableNames<Root: ObjectBase>(of keyPaths: [PartialKeyPath<Root>]) -> [String]? {
  var names: [String] = []
  for keyPath in keyPaths {
    guard let name = keyPathString(of: keyPath) else {
      reportIssue(
        "The key path '\(keyPath)' can't be observed: it reads no property of '\(Root.className())' "
          + "that is in the file. Observe the properties that it is made of.")
      return nil
    }
    names.append(name)
  }
  return names
}

extension _Observed {
  var translation: (SourceChange, Session) -> RealmCollectionChange<Collection>? {
    { [comparison] change, session in
      let collection = shown(session)
      switch change {
      case .initial:
        comparison?.reading(session)()
        return .initial(collection)
      case .elements, .entries:
        let differences = comparison?.changes(session, change.touched)
        guard let changes = differences ?? change.elements, differences?.isEmpty != true else {
          return nil
        }
        return .update(
          collection, deletions: changes.deletions, insertions: changes.insertions,
          modifications: changes.modifications)
      case .failed(let error): return .error(error)
      case .properties, .touched, .deleted: return nil
      }
    }
  }
}

extension SourceChange {
  fileprivate var elements: ChangeSet? {
    if case .elements(let changes) = self { changes } else { nil }
  }

  /// The rows of a map's objects that were modified themselves.
  fileprivate var touched: RowSet? {
    if case .entries(_, let touched) = self { touched } else { nil }
  }
}

/// A closure of an actor that code which already runs on the actor can call.
struct ActorCall<A: Actor, Value>: Sendable {
  private weak let actor: A?
  private let block: PlaceBound<(isolated A, Value) -> Void>

  init(_ actor: A, _ block: @escaping (isolated A, Value) -> Void) {
    self.actor = actor
    self.block = PlaceBound(block)
  }

  func callAsFunction(_ value: Value) {
    guard let actor else { return }
    nonisolated(unsafe) let value = value
    let block = block.value
    actor.assumeIsolated { block($0, value) }
  }
}

extension Map {
  /// Calls a closure with the map, and again after each change of the given properties of its
  /// objects.
  public func observe<Target: ObjectBase>(
    keyPaths: [PartialKeyPath<Target>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == Target? {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
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
}

extension _Observed {
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

extension ChangeSequence {
  init<Collection>(
    _ keyPaths: [String]?, _ observed: @escaping () -> _Observed<Collection>?,
    translate: @escaping (_Observed<Collection>) -> (SourceChange, Session) -> Element?
  ) {
    start = { () throws(RealmError) in
      guard let observed = observed() else {
        throw RealmError(.fail, ErrorText.unmanagedCollectionNotifications)
      }
      return ObservationStart(
        session: observed.session,
        source: { () throws(RealmError) in try observed.source(keyPaths) }, hasInitial: true,
        states: observed.comparison.map { SilentStates($0.reading) },
        translate: translate(observed))
    }
  }
}

extension RealmCollection {
  /// Returns a sequence of the collection as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`; nil for all.
  public func changes(
    keyPaths: [String]? = nil
  ) -> ChangeSequence<RealmCollectionChange<Self>> {
    ChangeSequence(keyPaths, { self._observed() }, translate: \.translation)
  }
}

extension Map {
  /// Returns a sequence of the map as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties to observe where values are objects; nil for all.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<RealmMapChange<Map>> {
    ChangeSequence(keyPaths, { self._observed() }) { observed in
      { observed.mapChange($0, $1) }
    }
  }
}

extension Realm {
  /// A sequence with one element for each snapshot that this realm or others commit. Snapshots that
  /// are committed while the body of the loop runs are merged into one element.
  public var changes: ChangeSequence<Notification> {
    ChangeSequence {
      ObservationStart(
        session: self.session, source: { nil }, hasInitial: false, translate: { _, _ in nil },
        versionElement: .didChange)
    }
  }
}
