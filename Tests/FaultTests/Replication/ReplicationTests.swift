import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// The real Litestream, which replicates a file; another file is restored from the replica.
  @Suite(.serialized, .enabled(if: Litestream.program != nil), .timeLimit(.minutes(40)))
  struct ReplicationTests {
    private let places: Folder
    private let replica: URL

    init() throws {
      places = try Folder()
      replica = places.url.appendingPathComponent("replica")
    }

    /// The contents of a file, without Litestream's tables.
    private func dump(_ folder: Folder) throws -> FileDump {
      let companions = ["", "-wal", "-shm"].map { folder.file.path + $0 }
      let files = companions.filter { FileManager.default.fileExists(atPath: $0) }
      let copy = try Folder(
        Dictionary(
          uniqueKeysWithValues: files.map { path in
            let url = URL(fileURLWithPath: path)
            return (url.lastPathComponent, try Data(contentsOf: url))
          }))
      var dump = try FileDump.read(copy.file)
      dump.lines.removeAll { $0.contains("_litestream_") }
      return dump
    }

    private func restored(_ options: [String] = []) throws -> Folder {
      let folder = try Folder()
      try Litestream.restore(replica, to: folder.file, options)
      return folder
    }

    /// Expects that a restored file has each row and each version of the original, and no problem.
    private func expectSame(
      _ folder: Folder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let copy = try restored()
      let (old, new) = try (dump(folder), dump(copy))
      expectTrue(!old.lines.isEmpty && new.problems.isEmpty, sourceLocation: sourceLocation)
      expectEqual(old, new, "\(new.difference(from: old))", sourceLocation: sourceLocation)
      let descriptions = try [folder, copy].map { try Worker.run("describe", $0).output }
      expectTrue(descriptions[0].contains("version "), sourceLocation: sourceLocation)
      expectFalse(descriptions[1].contains("problem"), sourceLocation: sourceLocation)
      expectEqual(descriptions[0], descriptions[1], sourceLocation: sourceLocation)
    }

    /// Waits until a server has written some transactions, and kills the process.
    private func serve(_ job: String, _ folder: Folder, _ transactions: Int) throws {
      let server = try Worker("run", job, folder)
      for _ in 0..<transactions { _ = try #require(server.line()) }
      server.kill()
      expectTrue(server.ending().isKilled)
    }

    /// Moving amounts doesn't change what they come to; the migration adds one.
    private static let total = (0..<120).reduce(0, +)

    @Test func `A server that migrates and is killed is restored row by row`() throws {
      let folder = try Scenario.of("migrate").newFolder()
      let litestream = try Litestream(folder.file, to: replica)
      try serve("serve", folder, 500)
      try serve("serve-migrated", folder, 500)
      litestream.stop()
      try expectSame(folder)
      let copy = try restored()
      let written = try #require(
        try copy.number("SELECT count(*) FROM Account WHERE number > 10000"))
      expectTrue(written >= 1_000)
      try expectEqual(copy.number("SELECT sum(amount) FROM Account"), Self.total + 1)
      try expectTrue(Worker.run("new-writer", copy).events != nil)
    }

    @Test func `Observers and frozen realms leave the replica whole`() throws {
      let folder = try Scenario.of("migrate").newFolder()
      let litestream = try Litestream(folder.file, to: replica)
      try serve("serve-observed", folder, 5_000)
      litestream.stop()
      try expectSame(folder)
    }

    @Test(arguments: [
      "write", "migrate", "migrate-no-block", "migrate-many", "free-changes", "compact",
      "start-over", "restore-backup", "copies",
    ])
    func `What the library does to a file comes to the replica`(job: String) throws {
      let folder = try Scenario.of(job).newFolder()
      let litestream = try Litestream(folder.file, to: replica)
      let ending = try Worker.run(job, folder)
      expectTrue(ending.events != nil, "\(ending)")
      litestream.stop()
      try expectSame(folder)
    }

    @Test func `What was written without Litestream comes to the replica when it is back`() throws {
      let folder = try Scenario.of("migrate").newFolder()
      try Litestream(folder.file, to: replica).stop()
      // Closes the file, which checkpoints the WAL and removes it.
      try expectTrue(Worker.run("write", folder).events != nil)
      try expectTrue(Worker.run("migrate", folder).events != nil)
      let litestream = try Litestream(folder.file, to: replica)
      litestream.stop()
      try expectSame(folder)
    }

    @Test func `A machine that fails loses whole transactions of the last moments only`() throws {
      let folder = try Scenario.of("migrate").newFolder()
      let litestream = try Litestream(folder.file, to: replica)
      let server = try Worker("run", "serve", folder)
      var written = 0
      let limit = ContinuousClock.now + .seconds(5)
      while ContinuousClock.now < limit, server.line() != nil { written += 1 }
      litestream.kill()
      server.kill()
      _ = server.ending()
      let copy = try restored()
      let rows = try #require(
        try copy.number("SELECT count(*) FROM Account WHERE number > 10000"))
      expectTrue(rows > 0)
      try expectEqual(copy.number("SELECT sum(amount) FROM Account"), Self.total)
      try expectEqual(
        copy.number(
          "SELECT max(number) - min(number) + 1 FROM Account WHERE number > 10000"), rows)
      try expectFalse(Worker.run("describe", copy).output.contains("problem"))
      print("\(written) transactions were written in 5 s, and \(rows) restored")
    }

    @Test func `A point in time is the file as it was then`() throws {
      let folder = try Scenario.of("migrate").newFolder()
      let litestream = try Litestream(folder.file, to: replica)
      try serve("serve", folder, 200)
      // Litestream looks at the file once a second, and knows the time of each look.
      Thread.sleep(forTimeInterval: 3)
      let before = try dump(folder)
      let time = Date()
      Thread.sleep(forTimeInterval: 2)
      try serve("serve-migrated", folder, 200)
      litestream.stop()
      let copy = try restored(["-timestamp", time.formatted(.iso8601)])
      let then = try dump(copy)
      expectEqual(then, before, "\(then.difference(from: before))")
      try expectTrue(Worker.run("migrate", copy).events != nil)
    }
  }
}
