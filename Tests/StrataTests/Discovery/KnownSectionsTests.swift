import CStrataRuntime
import TestKit
import Testing

/// The search for type records on Apple's platforms, without the loader's part.
@Suite struct KnownSectionsTests {
  @Test func `Everything that was noted is visited, in order, and once for each visit`() {
    var visited: [Int] = []
    let visit: strata_section_visitor = { start, length, version, context in
      let visited = context?.assumingMemoryBound(to: [Int].self)
      guard version == 1, let start, Int(bitPattern: start) < 0x2000 else { return }
      visited?.pointee.append(Int(bitPattern: start))
    }
    let addresses = Array(0x1000..<0x1000 + 200)
    for address in addresses { strata_known_sections_add(UnsafeRawPointer(bitPattern: address), 8) }
    withUnsafeMutablePointer(to: &visited) { strata_known_sections_visit(visit, $0) }
    expectEqual(visited, addresses)
    withUnsafeMutablePointer(to: &visited) { strata_known_sections_visit(visit, $0) }
    expectEqual(visited, addresses + addresses)
  }
}
