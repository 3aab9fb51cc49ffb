import Foundation
import Strata
import Synchronization

/// Classes that are observed.
enum Observed {
  static let types: [ObjectBase.Type] = [Person.self, Dog.self, Collar.self]

  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var dogsByName: Map<String, Dog?>
    @Persisted var scores: Map<String, Int>
    @Persisted var any: AnyRealmValue
  }

  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var collar: Collar?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  final class Collar: EmbeddedObject {
    @Persisted var color = ""
    @Persisted var size = 0
  }

  static func person(_ id: Int, _ name: String = "", age: Int = 0) -> Person {
    Person(value: ["id": id, "name": name, "age": age] as [String: Any])
  }
}

/// What handlers have heard, from any place.
final class Heard<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let condition = NSCondition()

  func add(_ value: Value) {
    condition.lock()
    values.withLock { $0.append(value) }
    condition.broadcast()
    condition.unlock()
  }

  var all: [Value] { values.withLock { $0 } }

  /// Waits until so many were heard, and returns all; at most a minute.
  func wait(for count: Int, seconds: TimeInterval = 300) -> [Value] {
    let limit = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while values.withLock({ $0.count }) < count, condition.wait(until: limit) {}
    return all
  }

  /// The same for a task, which must not block its thread. Other tests do, so it may take long until
  /// a thread is free.
  func arrival(of count: Int, seconds: Double = 1_200) async throws -> [Value] {
    let limit = ContinuousClock.now + .seconds(seconds)
    while all.count < count, ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(2))
    }
    return all
  }
}

/// A change as a value that can be compared.
enum Change: Equatable, Sendable {
  case initial(Int)
  case update(Int, [Int], [Int], [Int])
  case error(String)

  init<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection): self = .initial(collection.count)
    case .update(let collection, let deletions, let insertions, let modifications):
      self = .update(collection.count, deletions, insertions, modifications)
    case .error(let error): self = .error("\(error)")
    }
  }
}
