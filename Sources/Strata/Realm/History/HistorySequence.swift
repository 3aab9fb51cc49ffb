import StrataSchema
import StrataStorage

/// The sequence of a history's transactions, and of all that follow: see
/// `Realm.history(following:)`.
public struct HistorySequence: AsyncSequence, Sendable {
  public typealias Element = HistoryTransaction
  public typealias Failure = any Error

  private let store: Store
  private let token: HistoryToken?

  init(_ store: Store, _ token: HistoryToken?) {
    self.store = store
    self.token = token
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store, token) }

  /// An iterator that waits for transactions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let follower: HistoryFollower

    fileprivate init(_ store: Store, _ token: HistoryToken?) {
      follower = HistoryFollower(store, token)
    }

    public mutating func next() async throws -> HistoryTransaction? {
      try await follower.next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> HistoryTransaction? {
      try await follower.next(isolation: actor)
    }
  }
}

/// The state of one iterator: its position, and the transactions that it has read ahead.
private final class HistoryFollower {
  private let store: Store
  private var token: HistoryToken?
  private var read: ArraySlice<HistoryTransaction> = []
  private let signal = Signal()
  /// The number of transactions that are read at once.
  private static let batch = 100

  init(_ store: Store, _ token: HistoryToken?) {
    self.store = store
    self.token = token
    store.snapshots.commits.add(signal)
  }

  deinit { store.snapshots.commits.remove(signal) }

  func next(isolation actor: isolated (any Actor)?) async throws -> HistoryTransaction? {
    while true {
      if let next = read.popFirst() {
        token = next.id
        return next
      }
      read = try store.read { db in
        try store.historyPage(db, after: token, limit: Self.batch)
      }.transactions(store.discovered)[...]
      if read.isEmpty {
        if let error = store.replica?.otherVersion ?? store.writer.lossOfFile { throw error }
        guard await signal.wait(isolation: actor) else { return nil }
      }
    }
  }
}
