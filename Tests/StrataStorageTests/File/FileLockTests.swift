import Foundation
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import StrataStorage

@Suite("Locks of files")
struct FileLockTests {
  /// Each attempt opens the file again, as another process does.
  @Test func `A file that is deleted and made again is locked by one at a time`() throws {
    let folder = try TestFolder()
    let lock = folder.url.appendingPathComponent("lock")
    let holders = Atomic(0)
    let maxHolders = Atomic(0)
    let deleteWhileHeld = { @Sendable (held: FileLock) in
      let count = holders.add(1, ordering: .sequentiallyConsistent).newValue
      maxHolders.max(count, ordering: .sequentiallyConsistent)
      usleep(10)
      holders.subtract(1, ordering: .sequentiallyConsistent)
      // From here on, another file with the name can be locked.
      unlink(lock.path)
      withExtendedLifetime(held) {}
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for attempt in 0..<2_000 {
        do {
          let held =
            (thread + attempt).isMultiple(of: 2)
            ? FileLock.exclusive(lock) : try FileLock.exclusive(making: lock)
          if let held { deleteWhileHeld(held) }
        } catch {
          Issue.record(error)
        }
      }
    }
    withExtendedLifetime(folder) {}
    expectEqual(maxHolders.load(ordering: .sequentiallyConsistent), 1)
  }
}
