@testable import StrataStorage

/// A user of a write queue.
final class Somebody: WriteUser {
  let place: Place
  var isHeld = true

  init(_ number: UInt64) {
    place = .task(number)
  }

  var holder: WriteQueueState.Holder {
    guard case .task(let number) = place else { return .init() }
    return .init(place: place, task: number, user: WriteUserReference(self))
  }

  var turn: WriteTurn { WriteTurn(self, begin: { _ in true }, waitForOthers: {}, wake: {}) }

  func rollBackAbandoned(from place: Place, because reason: String) {}
}
