import StrataStorage
import Synchronization

/// The news that the observations of one place hear in its next turn: a snapshot, and what changed
/// up to it.
struct Mail: Sendable {
  let snapshot: Snapshot
  var news: [News]

  struct News: Sendable {
    let observation: Observation
    let change: SourceChange
    /// The snapshot that the change begins with; nil for the first state.
    var since: UInt64?
  }
}

/// A box in which the changes for one place wait until it takes them.
///
/// A place that is busy finds one change of each observation, for everything since its last turn.
final class Mailbox: Sendable {
  private let mail = Mutex<Mail?>(nil)
  /// Has the place take the mail soon; called on any thread.
  let wakePlace: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    wakePlace = wake
  }

  /// Takes back what the place hasn't taken yet.
  func withdraw() -> Mail? {
    mail.withLock { mail in
      defer { mail = nil }
      return mail
    }
  }

  func post(_ mail: Mail) {
    self.mail.withLock { $0 = mail }
    wakePlace()
  }

  /// Takes the mail, unless the place is ahead of it: then newer mail will come.
  func take(notBefore number: UInt64) -> Mail? {
    mail.withLock { mail in
      guard let taken = mail, taken.snapshot.number >= number else { return nil }
      mail = nil
      return taken
    }
  }

  var isEmpty: Bool { number == nil }

  /// The snapshot that waits.
  var number: UInt64? { mail.withLock { $0?.snapshot.number } }
}
