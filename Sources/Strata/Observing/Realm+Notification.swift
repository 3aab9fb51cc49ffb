import StrataQuery

extension Realm {
  /// A notification, as an observer of a realm hears it.
  public enum Notification: String, Sendable {
    /// Something was committed, and the realm shows it.
    case didChange = "RLMRealmDidChangeNotification"
    /// Something was committed that the realm shows only after `refresh()`.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}
