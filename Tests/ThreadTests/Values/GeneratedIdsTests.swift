import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

@Suite struct GeneratedIdsTests {
  @Test func `No id occurs twice, on any thread`() throws {
    let all = Mutex<Set<ObjectId>>([])
    let threads = (0..<8).map { _ in
      startThread {
        let ids = (0..<20_000).map { _ in ObjectId.generate() }
        all.withLock { $0.formUnion(ids) }
      }
    }
    for thread in threads { try thread.wait() }
    expectEqual(all.withLock { $0.count }, 160_000)
  }
}
