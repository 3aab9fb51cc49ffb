import Synchronization

/// The observations of one place, which it hears of together.
final class ObservationGroup: Sendable {
  let mailbox: Mailbox
  /// Whether the place moves with each snapshot, not only with news.
  let followsSnapshots: Bool
  /// How many tokens there are: of observations, and of the realm.
  let uses = Mutex(0)
  /// Changed on the queue of the observation center only.
  let observations = Mutex<[Observation]>([])

  init(_ mailbox: Mailbox, followsSnapshots: Bool) {
    self.mailbox = mailbox
    self.followsSnapshots = followsSnapshots
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }
}
