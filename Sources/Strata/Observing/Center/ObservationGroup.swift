import StrataStorage
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
  /// The reason why no snapshot will come any more.
  private let failure = Mutex<RealmError?>(nil)

  init(_ mailbox: Mailbox, followsSnapshots: Bool) {
    self.mailbox = mailbox
    self.followsSnapshots = followsSnapshots
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }

  var error: RealmError? { failure.withLock { $0 } }

  /// Remembers why no snapshot will come any more, and tells the place once.
  func fail(_ error: RealmError) {
    let isFirst = failure.withLock { failure in
      defer { failure = error }
      return failure == nil
    }
    if isFirst { mailbox.wakePlace() }
  }
}
