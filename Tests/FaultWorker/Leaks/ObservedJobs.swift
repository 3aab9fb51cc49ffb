import Foundation
import Strata
import Synchronization

/// Commits beside one observer, whose place has time for it or not.
extension Job {
  static let commitsBeside: [String: Job] = Dictionary(
    uniqueKeysWithValues: ObservedPlace.allCases.map { place in
      (
        "commit-beside-\(place.rawValue)",
        Job(prepare: { try place.observe($0) }, run: { try place.commit($0) })
      )
    })
}

/// Where something is observed.
private enum ObservedPlace: String, CaseIterable {
  case nothing = "nothing"
  case busyActor = "busy-actor"
  case busyQueue = "busy-queue"
  /// The worker never runs the queue of its main thread.
  case unservedMain = "unserved-main"
  case idleQueue = "idle-queue"

  /// Commits of one run, on a thread of their own.
  private static let commits = 1_000

  func observe(_ file: URL) throws {
    let configuration = Before.configuration(file)
    let realm = try Realm(configuration: configuration)
    try Before.fill(realm, people: 5, accounts: 20)
    let accounts = realm.objects(Before.Account.self)
    switch self {
    case .nothing: break
    case .unservedMain: ObservedThings.keep([realm, accounts.observe { _ in }])
    case .idleQueue:
      let queue = DispatchQueue(label: "idle")
      ObservedThings.keep([realm, queue, accounts.observe(on: queue) { _ in }])
    case .busyQueue:
      let queue = DispatchQueue(label: "busy")
      ObservedThings.keep([realm, queue, accounts.observe(on: queue) { _ in }])
      queue.sync {}
      queue.async { DispatchSemaphore(value: 0).wait() }
    case .busyActor:
      let busy = BusyActor()
      let hasBegun = DispatchSemaphore(value: 0)
      Task.detached {
        try await busy.observe(configuration)
        hasBegun.signal()
        await busy.block()
      }
      hasBegun.wait()
      ObservedThings.keep([realm, busy])
    }
  }

  func commit(_ file: URL) throws {
    let result = Mutex<(any Error)?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let realm = try Realm(configuration: Before.configuration(file))
        let accounts = realm.objects(Before.Account.self)
        for number in 0..<Self.commits {
          try realm.write { accounts[number % 20].amount += 1 }
        }
      } catch {
        result.withLock { $0 = error }
      }
      hasEnded.signal()
    }
    hasEnded.wait()
    if let error = result.withLock({ $0 }) { throw error }
  }
}

/// An actor that is never free again.
private actor BusyActor {
  private var kept: [Any] = []

  func observe(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    kept = [realm, realm.objects(Before.Account.self).observe { _ in }]
  }

  func block() { DispatchSemaphore(value: 0).wait() }
}

/// Objects that live until the process ends.
private enum ObservedThings {
  /// Only the main thread adds something.
  nonisolated(unsafe) private static var all: [Any] = []

  static func keep(_ things: [Any]) { all += things }
}
