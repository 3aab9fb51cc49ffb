import StrataQuery

extension Realm {
  /// A notification that an observer of a realm receives.
  public enum Notification: String, Sendable {
    /// A commit that the realm already shows.
    case didChange = "RLMRealmDidChangeNotification"
    /// A commit that the realm shows only after `refresh()`.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}
