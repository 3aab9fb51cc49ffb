import IssueReporting
import StrataStorage

/// The closure of ``Realm/observe(_:)``.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// Calls a closure after each commit, by this realm and by others.
  ///
  /// For a commit of this realm it is called at the end of `commitWrite`, for others at the place
  /// of the realm, as the observers of collections are, and before these. A realm whose
  /// ``autorefresh`` is false hears `refreshRequired` instead. What the closure itself writes calls
  /// no closure of this realm again.
  ///
  /// ```swift
  /// let token = realm.observe { notification, realm in refresh() }
  /// ```
  /// - Parameter block: The closure, which gets the realm.
  /// - Returns: A token, which must be kept as long as the closure is to be called. For a frozen or
  ///   read-only realm that is reported through `IssueReporting`, and the token is inactive.
  public func observe(
    _ block: @escaping (_ notification: Notification, _ realm: Realm) -> Void
  ) -> NotificationToken {
    let session = session
    do throws(RealmError) {
      try session.checkObservable()
      try session.checkPlace()
      let notifier = SessionNotifier.of(session)
      let configuration = configuration
      let reference = WeakReference(session)
      let handler = SessionNotifier.RealmHandler { event in
        guard let session = reference.object else { return }
        let notification: Notification = event == .didChange ? .didChange : .refreshRequired
        block(notification, Realm(session: session, configuration: configuration))
      }
      try translatingErrors(at: session.store.file.url) { try notifier.add(handler) }
      notifier.adviseIfPlaceSleeps()
      // The handler is called on the queue as long as there is one.
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

  /// Changes objects as `write` does, and has some observations not hear of it.
  ///
  /// For a program that has shown the change already, as a list does that the user reorders. The
  /// observations take what is committed for known. What others committed before, and they had not
  /// heard of, is not lost: then they hear of this transaction, too.
  /// - Parameters:
  ///   - tokens: Those of observations at the place of this realm, also of `realm.observe`. Another
  ///     one is reported through `IssueReporting`, and hears of the transaction.
  ///   - block: The changes.
  /// - Returns: The result of the closure.
  /// - Throws: As `write` does.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
  ) throws -> Result {
    try session.beginWrite()
    return try finishWrite(block) { try commitWrite(withoutNotifying: tokens) }
  }

  /// Makes the changes since `beginWrite` permanent, and has some observations not hear of it.
  ///
  /// - Parameter tokens: As for `write(withoutNotifying:_:)`.
  /// - Throws: As `commitWrite` does.
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
