import Synchronization

/// Runs a closure, and cancels it when it takes longer than a time.
///
/// The time is noticed up to ``DeadlineWatch/pause`` later.
///
/// - Throws: ``DeadlinePassed``, or what the closure throws.
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

/// The error of what took too long.
struct DeadlinePassed: Error {}

/// The one task of the process that looks which times are over.
///
/// A task that sleeps for each of them would be kept until its time is over, also when it was
/// cancelled long before: each request would take memory for a minute.
final class DeadlineWatch: Sendable {
  static let shared = DeadlineWatch()

  /// The time between two looks, while there is something to look for.
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

  /// Has a closure called when a time has come.
  func add(
    _ end: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, begins) = note(Deadline(end: end, cancel: cancel))
    if begins { Task { await look() } }
    return number
  }

  /// - Returns: Its number, and whether nobody looks yet.
  @inline(never) private func note(_ deadline: Deadline) -> (number: Int, begins: Bool) {
    state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.deadlines[number] = deadline
      let begins = !state.isLooking
      state.isLooking = true
      return (number, begins)
    }
  }

  /// Forgets a time.
  ///
  /// - Returns: Whether it had not come yet.
  @inline(never) func remove(_ number: Int) -> Bool {
    state.withLock { $0.deadlines.removeValue(forKey: number) != nil }
  }

  private func look() async {
    while true {
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        // Nobody cancels this task.
      }
      let (passed, goesOn) = takePassed()
      for cancel in passed { cancel() }
      if !goesOn { return }
    }
  }

  /// - Returns: What is to be called, and whether others are left.
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
