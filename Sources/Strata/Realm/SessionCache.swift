import Foundation
import Synchronization

/// Gives each thread, or task, one session per store: `Realm()` inside of `write` is in the same
/// transaction, and objects that come from two `Realm()` are objects of one realm.
enum SessionCache {
  private struct Key: Hashable {
    var store: ObjectIdentifier
    var place: Place
  }

  /// A task moves between threads, and takes its realms along.
  private enum Place: Hashable {
    case task(Int)
    case thread(ObjectIdentifier)

    static var current: Place {
      withUnsafeCurrentTask { task in
        task.map { .task($0.hashValue) } ?? .thread(ObjectIdentifier(Thread.current))
      }
    }
  }

  private final class WeakSession: @unchecked Sendable {
    weak var session: Session?

    init(_ session: Session) { self.session = session }
  }

  private static let sessions = Mutex<[Key: WeakSession]>([:])
  private static let mostDead = 64

  static func session(of store: Store) -> Session {
    let key = Key(store: ObjectIdentifier(store), place: .current)
    // Addresses are used again: a session of a store that was closed doesn't count.
    let known = sessions.withLock { $0[key] }?.session
    if let known, known.store === store { return known }
    let session = Session(store)
    let holder = WeakSession(session)
    sessions.withLock { sessions in
      if sessions.count >= mostDead { sessions = sessions.filter { $0.value.session != nil } }
      sessions[key] = holder
    }
    return session
  }
}
