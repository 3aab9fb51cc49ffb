import CStrataRuntime
import Foundation
import Synchronization

/// Where code uses realms: the owner of a session.
///
/// The numbers are never reused, unlike addresses: a caller at a place that has ended, and was
/// followed by another one, finds nothing of it.
enum Place: Hashable, Sendable {
  /// The main actor, and the main thread.
  case main
  /// A queue of the program that got a realm by `asyncOpen`.
  case queue(UInt64, label: String)
  case task(UInt64)
  case thread(UInt64)
  /// An actor that opened a realm. The compiler keeps its objects inside of it.
  case actor(ObjectIdentifier, type: String)

  /// Queues know their place. On Linux the main actor leaves the main thread at its first `await`,
  /// and stays on the main queue.
  private static let key: DispatchSpecificKey<Place> = {
    let key = DispatchSpecificKey<Place>()
    DispatchQueue.main.setSpecific(key: key, value: .main)
    return key
  }()

  private static let lastQueue = Atomic<UInt64>(0)

  static var current: Place {
    if let place = DispatchQueue.getSpecific(key: key) { return place }
    if strata_is_main_thread() { return .main }
    let task = strata_current_task()
    return task == 0 ? .thread(strata_current_thread()) : .task(task)
  }

  /// The place of code that is isolated to an actor, or to none.
  static func isolated(to actor: (any Actor)?) -> Place {
    guard let actor else { return current }
    if actor === MainActor.shared { return .main }
    return .actor(ObjectIdentifier(actor), type: "\(type(of: actor))")
  }

  /// Makes a queue a place of its own.
  ///
  /// Not one of the system's: those run many blocks at once.
  static func remember(_ queue: DispatchQueue) {
    guard queue.getSpecific(key: key) == nil, !queue.label.hasPrefix("com.apple.root.") else {
      return
    }
    let number = lastQueue.wrappingAdd(1, ordering: .relaxed).newValue
    queue.setSpecific(key: key, value: .queue(number, label: queue.label))
  }

  /// Whether the caller is here. Nothing can be asked of an actor: the compiler has.
  var isCurrent: Bool {
    switch self {
    // Asking for the queue takes ten times as long.
    case .main: strata_is_main_thread() || Place.current == self
    case .queue: Place.current == self
    case .task(let number): strata_current_task() == number
    case .thread(let number): strata_current_thread() == number && strata_current_task() == 0
    case .actor: true
    }
  }
}

extension Place: CustomStringConvertible {
  var description: String {
    switch self {
    case .main: "the main actor"
    case .queue(_, let label): "queue '\(label)'"
    case .task(let number): "task \(number)"
    case .thread(let number): "thread \(number)"
    case .actor(_, let type): "an actor of type '\(type)'"
    }
  }
}
