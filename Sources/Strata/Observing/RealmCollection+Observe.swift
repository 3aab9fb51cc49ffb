public import Dispatch
import IssueReporting
import StrataStorage

extension RealmCollection {
  /// Calls a closure with the collection, and again after each change of it.
  ///
  /// The first call has `initial`. Later ones have `update`: what changed since the call before,
  /// however many transactions that were. The closure is called at the place of the realm (the main
  /// actor, the actor or the queue that opened it) or on a queue, never inside of a transaction,
  /// and while it runs all objects of the realm there show the snapshot that it is told of. A plain
  /// task or thread can't be woken: there it is called by `refresh()` and when the realm begins to
  /// write.
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
  /// An object counts as modified when one of its properties is set, or one of an object to which
  /// it leads over at most three links.
  /// - Parameters:
  ///   - keyPaths: What counts: names of properties, with dots through links (`dogs.name`), `*` for
  ///     all properties of one class. Objects that come and go always count. For objects only.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  ///
  /// What can't be observed is reported through `IssueReporting`, and the token is inactive: a
  /// collection in no realm, a frozen or read-only one, a key path that leads nowhere.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, ObservationTarget(queue)) { block($0) }
  }

  /// Calls a closure on an actor with the collection, and again after each change of it.
  ///
  /// As `observe(keyPaths:on:_:)` with a queue; the actor gets a realm of its own, which all calls
  /// and all `Realm.open()` on the actor share. When the method returns, each later commit is
  /// noticed. For a task that was cancelled the token is inactive.
  ///
  /// ```swift
  /// token = await realm.objects(Person.self).observe(on: self) { actor, change in
  ///   actor.people = change
  /// }
  /// ```
  /// - Parameters:
  ///   - keyPaths: What counts; nil for everything.
  ///   - actor: Where the closure is called; it isn't kept.
  ///   - isolation: The actor of the caller.
  ///   - block: The closure, which gets the actor.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(keyPaths, .actor(actor)) { call($0) }
  }

  func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let observed = _observed() else {
      reportIssue("\(ErrorText.unmanagedCollectionNotifications)")
      return NotificationToken()
    }
    let translation = observed.translation
    let states = observed.comparison.map { SilentStates($0.reading) }
    return observed.session.observe(target, hasInitial: true, comparingWith: states) {
      () throws(RealmError) in
      try observed.source(keyPaths)
    } _: { change, session in
      if let change = translation(change, session) { block(change) }
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Calls a closure with the collection, and again after each change of some properties.
  ///
  /// As `observe(keyPaths:on:_:)` with names. A key path that reads no property of the file is
  /// reported, and the token is inactive.
  /// - Parameters:
  ///   - keyPaths: What counts, such as `\.name` and `\.dog?.name`.
  ///   - queue: A serial queue; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
  }

  /// Calls a closure on an actor with the collection, and again after each change of some
  /// properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}

/// The names of properties that key paths read; nil, and reported, where one reads none.
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
  /// Makes what the user hears of what was found.
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

  /// The rows of objects in a map that changed themselves.
  fileprivate var touched: RowSet? {
    if case .entries(_, let touched) = self { touched } else { nil }
  }
}

/// Calls a closure of an actor from code that runs on it.
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
