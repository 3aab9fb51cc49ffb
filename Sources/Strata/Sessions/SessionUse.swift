import Synchronization

/// A use of a session beside the code at its place.
final class SessionUse: Sendable {
  /// How many realms show it.
  let holders = Atomic<Int>(0)
  private let operations = Atomic<Int>(0)
  /// The blocks that wait to write; nil while there were none.
  let blocks = Mutex<WriteBlocks?>(nil)
  private let misused = Atomic<Bool>(false)

  /// Whether an asynchronous write of it has not ended.
  var isWritingAsynchronously: Bool { operations.load(ordering: .relaxed) > 0 }

  /// Notes that another place reads; whether it is the first time.
  func noteMisuse() -> Bool { !misused.exchange(true, ordering: .relaxed) }

  func beginOperation() { operations.add(1, ordering: .relaxed) }

  func endOperations(_ count: Int = 1) { operations.subtract(count, ordering: .relaxed) }
}
