import StrataStorage
import Synchronization

/// The changes to deliver in the next turn of a place: a snapshot, and the changes up to it.
struct Mail: Sendable {
  let snapshot: Snapshot
  var news: [News]

  struct News: Sendable {
    let observation: Observation
    let change: SourceChange
    /// The snapshot with which the change begins; nil for the first state.
    var since: UInt64?
  }
}

/// A mailbox in which the changes for one place wait until the place takes them.
///
/// A busy place finds one merged change per observation, with everything since its last turn.
final class Mailbox: Sendable {
  private let mail = Mutex<Mail?>(nil)
  /// Asks the place to take the mail soon. Called on any thread.
  let wakePlace: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    wakePlace = wake
  }

  /// Removes and returns the mail that the place hasn't taken yet.
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

  /// Removes and returns the mail. Returns nil if the place already shows a newer snapshot, because
  /// newer mail will follow.
  func take(notBefore number: UInt64) -> Mail? {
    mail.withLock { mail in
      guard let taken = mail, taken.snapshot.number >= number else { return nil }
      mail = nil
      return taken
    }
  }

  var isEmpty: Bool { number == nil }

  /// The number of the waiting snapshot; nil if there is no mail.
  var number: UInt64? { mail.withLock { $0?.snapshot.number } }
}
