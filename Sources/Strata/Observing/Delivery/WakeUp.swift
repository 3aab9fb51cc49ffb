import Synchronization

/// Something that is done at a place when it has time, once for all the requests until then.
///
/// A place may be busy for hours: what waits for it doesn't grow with the number of requests.
final class WakeUp: Sendable {
  private let place: Place
  private let body: @Sendable () -> Void
  private let isOnItsWay = Atomic<Bool>(false)

  init(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    self.place = place
    self.body = body
  }

  /// Asks for it, on any thread. A place that has ended, or can't be woken, does nothing.
  func send() {
    guard !isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let isSent = place.run { [self] in
      // First: what is asked for from now on may not be seen any more by what is done here.
      _ = isOnItsWay.exchange(false, ordering: .acquiringAndReleasing)
      body()
    }
    if !isSent { isOnItsWay.store(false, ordering: .releasing) }
  }
}
