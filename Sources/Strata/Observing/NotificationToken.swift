import Synchronization

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
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    return end?() ?? false
  }
}
