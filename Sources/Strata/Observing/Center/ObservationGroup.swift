import Synchronization

/// The observations of one place, which it hears of together.
///
/// Used on the queue of the ``ObservationCenter``, but for what is constant.
final class ObservationGroup: @unchecked Sendable {
  let mailbox: Mailbox
  /// Whether the place moves with each version, not only with news.
  let followsVersions: Bool
  /// How many tokens there are: of observations, and of the realm.
  let uses = Mutex(0)
  var observations: [Observation] = []

  init(_ mailbox: Mailbox, followsVersions: Bool) {
    self.mailbox = mailbox
    self.followsVersions = followsVersions
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }
}
