import Synchronization

/// Runs a closure, and cancels it after a time.
///
/// The deadline is noticed up to ``DeadlineWatch/pause`` late.
///
/// - Throws: ``DeadlinePassed``, or the errors of the closure.
func withDeadline<Value: Sendable>(
  _ time: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let task = Task { try await body() }
  let number = DeadlineWatch.shared.add(.now + time) { task.cancel() }
  let result = await withTaskCancellationHandler {
    await task.result
  } onCancel: {
    task.cancel()
  }
  guard DeadlineWatch.shared.remove(number) else { throw DeadlinePassed() }
  return try result.get()
}

/// The error of an operation that took too long.
struct DeadlinePassed: Error {}

/// The single task of the process that checks deadlines.
///
/// A sleeping task for each deadline would stay in memory until its time is over, even after a
/// cancellation: each request would take memory for a minute.
final class DeadlineWatch: Sendable {
  static let shared = DeadlineWatch()

  /// The interval of checks, while there are deadlines.
  static let pause: Duration = .milliseconds(50)

  private let state = Mutex(State())

  private struct State {
    var deadlines: [Int: Deadline] = [:]
    var nextNumber = 0
    var isLooking = false
  }

  private struct Deadline {
    let end: ContinuousClock.Instant
    let cancel: @Sendable () -> Void
  }

  /// Calls a closure after a deadline.
  func add(
    _ end: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, begins) = record(Deadline(end: end, cancel: cancel))
    if begins { Task { await look() } }
    return number
  }

  /// - Returns: The number of the deadline, and whether the checks must be started.
  @inline(never) private func record(_ deadline: Deadline) -> (number: Int, begins: Bool) {
    state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.deadlines[number] = deadline
      let begins = !state.isLooking
      state.isLooking = true
      return (number, begins)
    }
  }

  /// Removes a deadline.
  ///
  /// - Returns: Whether the deadline was still pending.
  @inline(never) func remove(_ number: Int) -> Bool {
    state.withLock { $0.deadlines.removeValue(forKey: number) != nil }
  }

  private func look() async {
    while true {
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        // This task is never cancelled.
      }
      let (passed, goesOn) = takePassed()
      for cancel in passed { cancel() }
      if !goesOn { return }
    }
  }

  /// - Returns: The closures to call, and whether deadlines remain.
  @inline(never) private func takePassed() -> (passed: [@Sendable () -> Void], goesOn: Bool) {
    let now = ContinuousClock.now
    return state.withLock { state in
      let passed = state.deadlines.filter { $0.value.end <= now }
      for number in passed.keys { state.deadlines[number] = nil }
      state.isLooking = !state.deadlines.isEmpty
      return (passed.map(\.value.cancel), state.isLooking)
    }
  }
}
