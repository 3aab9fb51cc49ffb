import StrataStorage
import Synchronization

/// The result of opening in the background, for one receiver.
///
/// The queue that opened the store must not keep it: a file is closed when the last realm is gone,
/// not when some thread gets around to it.
final class OpenedStore: Sendable {
  private let result: Mutex<Result<Store, any Error>?>

  init(_ open: () throws -> Store) {
    result = Mutex(Result { try open() })
  }

  /// The store, or the error; leaves nothing behind.
  func take() throws -> Store {
    let taken = result.withLock { result in
      defer { result = nil }
      return result
    }
    guard let taken else { throw RealmError(.fail, "The realm was handed over already.") }
    return try taken.get()
  }
}
