/// The states that a handler was not told of, since a transaction was silenced for it.
///
/// For handlers that remember what they were told of, and compare what is there with that: after a
/// silent transaction they compare with what it left. Used at the place of the handler.
final class SilentStates {
  /// Reads what a session shows, and returns what has the handler compare with that.
  typealias Reading = (Session) -> () -> Void

  private let reading: Reading
  private var states: [(number: UInt64, resume: () -> Void)] = []

  init(_ reading: @escaping Reading) {
    self.reading = reading
  }

  /// What a transaction that is about to be committed leaves.
  func read(_ session: Session) -> () -> Void { reading(session) }

  /// Notes what a silent commit left.
  ///
  /// - Parameter delivered: The snapshot that changes begin with now; nil before the first one. No
  ///   state is needed any more that is older than the last one before it.
  func add(_ resume: @escaping () -> Void, at number: UInt64, delivered: UInt64?) {
    if let last = states.lastIndex(where: { $0.number <= delivered ?? 0 }) {
      states.removeFirst(last)
    }
    states.append((number, resume))
  }

  /// Has the handler compare with the state with which a change begins that it is about to hear of.
  ///
  /// - Parameter number: The snapshot of that state; nil for the first call.
  func resume(at number: UInt64?) {
    states.last { $0.number <= number ?? 0 }?.resume()
    states = []
  }
}
