import Synchronization

/// A token that keeps an observation going for as long as it is kept.
///
/// ```swift
/// let token = realm.objects(Person.self).observe { change in print(change) }
/// token.invalidate()
/// ```
/// Dropping the result of `observe` ends the observation at once. A token may be kept and ended at
/// any place. It keeps the file open: invalidate it before a backup is restored, or the file is
/// opened with another schema version.
public final class NotificationToken: Sendable {
  private let end: Mutex<(@Sendable () -> Bool)?>
  /// The observation, or the handler of a realm, for `write(withoutNotifying:)`.
  let observation: ObjectIdentifier?

  /// Makes a token of no observation.
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
  /// At the place of its handler no call comes after the return; elsewhere one may be running.
  /// - Returns: Whether it was active.
  @discardableResult
  public func invalidate() -> Bool {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    return end?() ?? false
  }
}
