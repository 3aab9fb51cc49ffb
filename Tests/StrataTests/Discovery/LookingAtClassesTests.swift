import Dispatch
import Foundation
import StrataStorage
import Synchronization
import TestKit
import Testing

@testable import Strata

/// How the library looks at the classes of a program.
struct LookingAtClassesTests {
  class Slow: Object {
    @Persisted var number = Slow.next()

    static let running = Atomic(0)
    static let most = Atomic(0)

    static func next() -> Int {
      let now = running.add(1, ordering: .relaxed).newValue
      most.max(now, ordering: .relaxed)
      usleep(20_000)
      running.subtract(1, ordering: .relaxed)
      return now
    }
  }

  /// Defaults that count, for instance, need not be safe to run on several threads.
  @Test func `Several threads look at a class one after the other`() {
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do throws(RealmError) {
        _ = try ClassInfo.of(Slow.self)
      } catch {
        failures.add(1, ordering: .relaxed)
      }
    }
    expectEqual(failures.load(ordering: .relaxed), 0)
    expectEqual(Slow.most.load(ordering: .relaxed), 1)
  }
}
