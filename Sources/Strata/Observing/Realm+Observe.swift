import IssueReporting
import StrataQuery
import StrataStorage
import Synchronization

/// The type of the closure of ``Realm/observe(_:)``.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// Calls a closure after each commit of this realm or of others.
  ///
  /// After a commit of this realm, the closure is called at the end of `commitWrite`. After other
  /// commits, the closure is called on the isolation of the realm, before the observers of
  /// collections. If ``autorefresh`` is false, the closure receives `refreshRequired` for commits
  /// of others. Writes inside the closure don't call the closures of this realm again.
  ///
  /// ```swift
  /// let token = realm.observe { notification, realm in refresh() }
  /// ```
  /// - Parameter block: The closure, which gets the realm.
  /// - Returns: A token. Keep it as long as the closure is to be called. A frozen or read-only
  ///   realm is reported through `IssueReporting`; the token is inactive then.
  public func observe(
    _ block: @escaping (_ notification: Notification, _ realm: Realm) -> Void
  ) -> NotificationToken {
    let session = session
    do throws(RealmError) {
      try session.checkObservable()
      try session.checkPlace()
      let notifier = SessionNotifier.of(session)
      let configuration = configuration
      let reference = session.reference
      let handler = SessionNotifier.RealmHandler { event in
        guard let session = reference.object else { return }
        let notification: Notification = event == .didChange ? .didChange : .refreshRequired
        block(notification, Realm(session: session, configuration: configuration))
      }
      try translatingErrors(at: session.store.file.url) { try notifier.add(handler) }
      notifier.adviseIfPlaceSleeps()
      // Keeps the queue alive, because the handler is called on it.
      let holder = PlaceBound((session: session, queue: session.place.queue))
      nonisolated(unsafe) let added = handler
      return NotificationToken(of: ObjectIdentifier(handler)) {
        withExtendedLifetime(holder.value) { $0.session.notifier?.end(added) ?? false }
      }
    } catch {
      reportIssue("\(error.message)")
      return NotificationToken()
    }
  }

  /// Runs a write transaction without notifying the given observations.
  ///
  /// Use this method when the user interface already shows the change, for example after the user
  /// reordered a list. The observations treat the committed changes as known. Earlier commits of
  /// others aren't lost: an observation that hasn't delivered them yet is notified of this
  /// transaction as well.
  /// - Parameters:
  ///   - tokens: Tokens of observations on the isolation of this realm, including tokens of
  ///     `realm.observe`. Other tokens are reported through `IssueReporting`, and their
  ///     observations are notified.
  ///   - block: The changes.
  /// - Returns: The result of the closure.
  /// - Throws: The same errors as `write`.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
  ) throws -> Result {
    try session.beginWrite()
    return try finishWrite(block) { try commitWrite(withoutNotifying: tokens) }
  }

  /// Commits the changes since `beginWrite` without notifying the given observations.
  ///
  /// - Parameter tokens: The tokens, as for `write(withoutNotifying:_:)`.
  /// - Throws: The same errors as `commitWrite`.
  public func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    let notifier = session.notifier
    for token in tokens {
      guard notifier?.silence(token.observation) == true else {
        reportIssue("\(ErrorText.silencedElsewhere)")
        continue
      }
    }
    try session.commitWrite()
  }
}

/// A token that keeps an observation active until the token is released or invalidated.
///
/// ```swift
/// let token = realm.objects(Person.self).observe { change in print(change) }
/// token.invalidate()
/// ```
/// Discarding the result of `observe` ends the observation at once. A token can be kept and
/// invalidated on any thread. A token keeps the file open: invalidate all tokens before you restore
/// a backup or open the file with another schema version.
public final class NotificationToken: Sendable {
  private let end: Mutex<(@Sendable () -> Bool)?>
  /// The identity of the observation, or of the realm's handler, for `write(withoutNotifying:)`.
  let observation: ObjectIdentifier?

  /// Creates a token without an observation.
  public init() {
    observation = nil
    end = Mutex(nil)
  }

  init(of observation: ObjectIdentifier? = nil, _ end: @escaping @Sendable () -> Bool) {
    self.observation = observation
    self.end = Mutex(end)
  }

  deinit { invalidate() }

  /// Ends the observation.
  ///
  /// If you call this method on the isolation of the handler, the handler isn't called after the
  /// method returns. Elsewhere, one call may still be running.
  /// - Returns: Whether the observation was active.
  @discardableResult
  public func invalidate() -> Bool {
    let end = end.withLock { $0.take() }
    return end?() ?? false
  }
}

extension Realm {
  /// A notification that an observer of a realm receives.
  public enum Notification: String, Sendable {
    /// A commit that the realm already shows.
    case didChange = "RLMRealmDidChangeNotification"
    /// A commit that the realm shows only after `refresh()`.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}
