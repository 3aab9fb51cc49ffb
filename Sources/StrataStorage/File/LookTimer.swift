package import Dispatch

/// A timer that has somebody look at a file again and again.
package enum LookTimer {
  /// Looks after some seconds, and each time that they have passed again: whether a file has
  /// changed, five times a second.
  package static func start(
    every interval: Double = 0.2, _ body: @escaping @Sendable () -> Void
  ) -> sending any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
    timer.setEventHandler(handler: body)
    timer.resume()
    return timer
  }
}
