import CStrataRuntime
package import Foundation
import Synchronization

/// The isolation in which code uses realms: a thread, a task, a queue or an actor. A place owns a
/// session.
///
/// Unlike addresses, the numbers are never reused. The successor of a place that has ended
/// therefore can't find its state.
package enum Place: Hashable, Sendable {
  /// The main actor, and the main thread.
  case main
  /// A queue that has a realm, or on which something is observed.
  case queue(QueueReference)
  case task(UInt64)
  case thread(UInt64)
  /// An actor that opened a realm. The compiler keeps its objects inside the actor.
  case actor(ActorReference)
  /// Any place: values that never change may be read everywhere.
  case anywhere

  /// Queues store their place. On Linux the main actor leaves the main thread at its first `await`,
  /// and stays on the main queue.
  private static let key: DispatchSpecificKey<Place> = {
    let key = DispatchSpecificKey<Place>()
    DispatchQueue.main.setSpecific(key: key, value: .main)
    return key
  }()

  package static var current: Place {
    if let place = DispatchQueue.getSpecific(key: key) { return place }
    if strata_is_main_thread() { return .main }
    let task = strata_current_task()
    return task == 0 ? .thread(strata_current_thread()) : .task(task)
  }

  /// Returns the place of code that is isolated to an actor, or to none.
  package static func isolated(to actor: (any Actor)?) -> Place {
    guard let actor else { return current }
    if actor === MainActor.shared { return .main }
    return .actor(ActorReference(actor))
  }

  /// Gives a queue a place of its own. Returns nil for a system queue, which runs many blocks at
  /// once.
  @discardableResult
  package static func remember(_ queue: DispatchQueue) -> Place? {
    if let known = queue.getSpecific(key: key) { return known }
    guard !queue.label.hasPrefix("com.apple.root.") else { return nil }
    let place = Place.queue(QueueReference(queue))
    queue.setSpecific(key: key, value: place)
    return place
  }

  /// Whether code can be scheduled here from outside.
  package var canBeWoken: Bool {
    switch self {
    case .main, .queue, .actor: true
    case .task, .thread, .anywhere: false
    }
  }

  /// The queue of the place, if it still exists.
  package var queue: DispatchQueue? {
    if case .queue(let reference) = self { reference.queue } else { nil }
  }

  /// Whether no code can run here any more. The end of a task or a thread can't be detected.
  package var hasEnded: Bool {
    switch self {
    case .queue(let reference): reference.queue == nil
    case .actor(let reference): reference.actor == nil
    case .main, .task, .thread, .anywhere: false
    }
  }

  /// Schedules a closure here. Returns false if the place has ended or can't run closures.
  @discardableResult
  package func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .main:
      DispatchQueue.main.async(execute: body)
    case .queue(let reference):
      guard let queue = reference.queue else { return false }
      queue.async(execute: body)
    case .actor(let reference):
      guard let actor = reference.actor else { return false }
      Task { await Self.run(body, on: actor) }
    case .task, .thread, .anywhere: return false
    }
    return true
  }

  private static func run(_ body: () -> Void, on actor: isolated any Actor) { body() }

  /// Whether the caller is here. Always true for an actor, whose isolation the compiler has
  /// checked.
  package var isCurrent: Bool {
    switch self {
    // Reading the queue takes ten times as long.
    case .main: strata_is_main_thread() || Place.current == self
    case .queue: Place.current == self
    case .task(let number): strata_current_task() == number
    case .thread(let number): strata_current_thread() == number && strata_current_task() == 0
    case .actor, .anywhere: true
    }
  }
}

extension Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .main: "the main actor"
    case .queue(let reference): "queue '\(reference.label)'"
    case .task(let number): "task \(number)"
    case .thread(let number): "thread \(number)"
    case .actor(let reference): "an actor of type '\(reference.type)'"
    case .anywhere: "any place"
    }
  }
}

/// A weak reference to a queue.
package final class QueueReference: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
  let label: String
  weak let queue: DispatchQueue?

  init(_ queue: DispatchQueue) {
    label = queue.label
    self.queue = queue
  }

  package static func == (first: QueueReference, second: QueueReference) -> Bool {
    first === second
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A weak reference to an actor.
package final class ActorReference: Hashable, Sendable {
  private let identity: ObjectIdentifier
  let type: String
  weak let actor: (any Actor)?

  init(_ actor: any Actor) {
    identity = ObjectIdentifier(actor)
    type = "\(Swift.type(of: actor))"
    self.actor = actor
  }

  package static func == (first: ActorReference, second: ActorReference) -> Bool {
    first.identity == second.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A value of one place that passes through other threads, which don't access it.
package struct PlaceBound<Value>: @unchecked Sendable {
  // guarded by: the place, which alone uses the value.
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// A weak reference to an object of one place, which any thread may keep and compare.
package struct WeakReference<Object: AnyObject>: @unchecked Sendable {
  // guarded by: the runtime, which reads weak references atomically; never set again. The object
  // itself is used by its place.
  package private(set) weak var object: Object?

  package init(_ object: Object) {
    self.object = object
  }
}

/// A signal that wakes one waiting task. A signal that is sent before the wait isn't lost.
package final class Signal: Sendable {
  private enum State {
    case idle, sent, cancelled
    case waiting(CheckedContinuation<Bool, Never>)
  }

  private let state = Mutex(State.idle)

  package init() {}

  @inline(never) package func send() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .waiting(let continuation):
        state = .idle
        return continuation
      case .idle, .sent:
        state = .sent
        return nil
      case .cancelled: return nil
      }
    }
    waiting?.resume(returning: true)
  }

  /// - Returns: False if the task is cancelled.
  package func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let result = beginWaiting(continuation) { continuation.resume(returning: result) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// - Returns: The result if there is no need to wait, otherwise nil.
  @inline(never) private func beginWaiting(_ continuation: CheckedContinuation<Bool, Never>)
    -> Bool?
  {
    state.withLock { state in
      switch state {
      case .sent:
        state = .idle
        return true
      case .cancelled: return false
      case .idle, .waiting:
        state = .waiting(continuation)
        return nil
      }
    }
  }

  @inline(never) private func cancel() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state = .cancelled }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(returning: false)
  }
}
