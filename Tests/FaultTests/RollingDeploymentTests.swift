import Foundation
import TestKit
import Testing

extension Faults {
  /// An old and a new program use one file at once, at the same schema version.
  @Suite(.serialized) struct RollingDeploymentTests {
    @Test func `An old writer goes on when another process adds classes and indexes`() throws {
      let folder = try Scenario.of("free-changes").newFolder()
      let writer = try Worker("run", "old-writer", folder)
      for _ in 0..<20 { expectTrue(writer.line() != nil) }
      let changed = try Worker.run("free-changes", folder)
      expectTrue(changed.events != nil, "\(changed)")
      try expectEqual(folder.number("SELECT count(*) FROM sqlite_schema WHERE name = 'Toy'"), 1)
      let committed = "SELECT count(*) FROM Account WHERE number > 10000"
      let before = try #require(try folder.number(committed))
      while let line = writer.line() {
        let written = try #require(
          line.wholeMatch(of: /wrote (\d+)/).flatMap { Int($0.1) }, "\(line)")
        if written >= before + 100 { break }
      }
      writer.kill()
      expectTrue(writer.ending().isKilled)
      try expectTrue(#require(try folder.number(committed)) >= before + 100)
      // The new program continues where the old one ended.
      try expectTrue(Worker.run("free-changes", folder).events != nil)
    }
  }
}
