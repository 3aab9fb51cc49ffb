import Foundation
import TestKit
import Testing

extension Faults {
  /// An old and a new release of a program write to one file, and are killed and started again.
  @Suite(.serialized) struct TwoReleasesFaultTests {
    private static let rounds = Extent.current == .all ? 60 : 4

    @Test func `Nothing that either release has committed is lost`() throws {
      let folder = try Scenario.of("adopting-release").newFolder()
      var random = SplitMix64(seed: 11)
      var written = ["old": 0, "new": 0]
      var old = try Writer("old", folder)
      try old.advance(10)
      // The first migration happens while the old release has the file open.
      var new = try Writer("new", folder)
      try new.advance(10)
      for round in 1...Self.rounds {
        try old.advance(Int.random(in: 1...20, using: &random))
        try new.advance(Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: old = try old.restarted()
        case 1: new = try new.restarted()
        default:
          // Only one of the two goes on, for a while.
          new.kill()
          try old.advance(5)
          new = try Writer("new", folder)
        }
        try new.advance(1)
        written = ["old": old.last, "new": new.last]
        for (writer, last) in written {
          let count = try folder.number(
            "SELECT count(*) FROM Account WHERE writer = '\(writer)' AND number <= \(last)")
          expectEqual(count, last, "\(writer) in round \(round)")
        }
      }
      old.kill()
      new.kill()
      expectTrue(try Worker.run("adopting-release", folder).events != nil)
      try expectEqual(
        folder.number("SELECT count(*) FROM Account WHERE label IS NOT 'of ' || key"), 0)
      try expectEqual(
        folder.number("SELECT count(*) FROM Account WHERE writer = 'old' AND currency <> 'EUR'"), 0)
      let last = try #require(
        try folder.number("SELECT max(number) FROM Account WHERE writer = 'old'"))
      try expectEqual(folder.number("SELECT amount FROM Account WHERE key = 'first'"), last)
      try expectEqual(folder.number("SELECT count(*) FROM Account_notes"), last)
      try expectEqual(
        folder.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
        0)
      try expectEqual(folder.number("SELECT count(*) FROM pragma_foreign_key_check"), 0)
      try expectEqual(folder.number("SELECT count(*) FROM strata_older_writes"), 0)
    }

    /// A process of one of the releases.
    private final class Writer {
      private let name: String
      private let folder: Folder
      private let worker: Worker
      /// The last number whose transaction was committed.
      private(set) var last = 0

      init(_ name: String, _ folder: Folder, last: Int = 0) throws {
        self.name = name
        self.folder = folder
        self.last = last
        worker = try Worker("run", "\(name)-release", folder)
        expectEqual(worker.line(), "ready")
      }

      /// Reads that a number of transactions were committed.
      func advance(_ count: Int) throws {
        for _ in 0..<count {
          let line = try #require(worker.line(), "The \(name) release has ended.")
          let match = line.wholeMatch(of: /wrote (\d+)/).flatMap { Int($0.1) }
          last = try #require(match, "\(line)")
        }
      }

      func kill() {
        worker.kill()
        expectTrue(worker.ending().isKilled)
      }

      func restarted() throws -> Writer {
        kill()
        return try Writer(name, folder, last: last)
      }
    }
  }
}
