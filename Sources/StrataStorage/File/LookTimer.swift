import Dispatch

/// A timer that has somebody look five times a second whether a file has changed.
enum LookTimer {
  static func start(_ body: @escaping @Sendable () -> Void) -> sending any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + 0.2, repeating: 0.2, leeway: .milliseconds(50))
    timer.setEventHandler(handler: body)
    timer.resume()
    return timer
  }
}
