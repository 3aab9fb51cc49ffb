import Foundation
import TestKit
import Testing

extension Faults {
  /// A user writes on one machine, and reads on another one.
  @Suite struct OwnWritesTests {
    private static let count = Extent.current == .all ? 10_000 : 100

    @Test func `A reader that waits for its token never finds an older state`() throws {
      let folder = try Scenario.of("write-and-tell").newFolder()
      let writer = try Worker("run", "write-and-tell", folder)
      let publisher = try Worker("run", "publish-always", folder)
      expectEqual(publisher.line(), "published")
      let reader = try Worker("run", "read-own-writes", folder)
      for number in 1...Self.count {
        writer.say("\(number)")
        let token = try #require(writer.line())
        reader.say(token)
        let line = reader.line()
        guard line.flatMap(Int.init) == number else {
          Issue.record("after \(number) writes it reads \(line ?? "nothing")")
          break
        }
      }
      try Data().write(to: folder.url.appendingPathComponent("stop"))
      for worker in [writer, publisher, reader] {
        let ending = worker.ending()
        expectEqual(ending.status, 0, "\(ending)")
      }
    }
  }
}
