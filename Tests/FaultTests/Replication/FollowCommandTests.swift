import Foundation
import TestKit
import Testing

extension Faults {
  /// A server that writes, the real Litestream, `strata follow`, and a program that observes.
  @Suite(.serialized, .enabled(if: Litestream.program != nil), .timeLimit(.minutes(40)))
  struct FollowCommandTests {
    private let places: Folder
    private let folder: Folder
    private let source: String

    init() throws {
      places = try Folder()
      folder = try Scenario.of("migrate").newFolder()
      source = "file://\(places.url.appendingPathComponent("replica").path)"
    }

    private var replica: URL { StrataFollow.replica(folder) }

    /// Moving amounts doesn't change what they come to; the migration adds one.
    private static let total = (0..<120).reduce(0, +)

    /// The state that a reader printed.
    private struct State {
      var count: Int
      var newest: Int
      var sum: Int
      /// From the transaction to the handler, in seconds.
      var delay: Double

      init?(_ line: String) {
        let parts = line.split(separator: " ").compactMap { Int($0) }
        guard line.hasPrefix("state "), parts.count >= 4 else { return nil }
        (count, newest, sum) = (parts[0], parts[1], parts[2])
        delay = Double(parts[3] - parts[1]) / 1_000
      }
    }

    private func states(_ lines: Lines) -> [State] { lines.lines.compactMap { State($0) } }

    /// The numbers that a server has written, or was about to.
    private func written(_ lines: Lines) -> [Int] {
      lines.lines.filter { $0.hasPrefix("writes ") }.compactMap { Int($0.dropFirst(7)) }
    }

    /// Expects that each state is one that the server had, in their order, and none is half.
    private func expect(
      _ reader: Lines, shows written: [Int], total: Int = Self.total, first: Int = 120,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      expectFalse(reader.all.contains("wrong"), sourceLocation: sourceLocation)
      var last = 0
      for state in states(reader) {
        let index = state.count - first - 1
        let newest = index < 0 ? nil : written.indices.contains(index) ? written[index] : -1
        if let newest {
          expectEqual(state.newest, newest, "\(state)", sourceLocation: sourceLocation)
        }
        expectEqual(state.sum, total, "\(state)", sourceLocation: sourceLocation)
        expectTrue(state.count >= last, "\(state)", sourceLocation: sourceLocation)
        last = state.count
      }
    }

    /// A server, Litestream, the follower and a reader, that have begun.
    private struct Running {
      var server: Worker
      var said: Lines
      var litestream: Litestream
      var follow: StrataFollow
      var reader: Worker
      var heard: Lines

      func end() {
        server.kill()
        litestream.stop()
        follow.kill(SIGTERM)
        expectEqual(follow.status(), 0)
        reader.kill()
      }
    }

    private func start(_ source: String, _ options: [String] = []) throws -> Running {
      let server = try Worker("run", "serve-slowly", folder)
      let said = server.listen()
      try wait("the first transaction") { !written(said).isEmpty }
      let litestream = try Litestream(folder.file, source: source)
      let follow = try StrataFollow(source, folder, options)
      let reader = try Worker("run", "show-replica", folder)
      let running = Running(
        server: server, said: said, litestream: litestream, follow: follow, reader: reader,
        heard: reader.listen())
      try wait("the first states") { states(running.heard).count >= 2 }
      return running
    }

    /// The object store of the tests; nil if the variable isn't set.
    static let objectStore = ProcessInfo.processInfo.environment["STRATA_S3"]

    private func expectFollowing(_ source: String) throws {
      let running = try start(source)
      try wait("20 states") { states(running.heard).count >= 20 }
      running.end()
      expect(running.heard, shows: written(running.said))
      let delays = states(running.heard).dropFirst(2).map(\.delay).sorted()
      print(
        "From a transaction to the handler: \(delays[0]) s at least, \(delays[delays.count / 2]) s median, "
          + "\(delays[delays.count - 1]) s at most")
      expectTrue(delays[delays.count / 2] < 5)
    }

    @Test func `A server is followed`() throws { try expectFollowing(source) }

    @Test(.enabled(if: objectStore != nil))
    func `A server is followed by way of an object store`() throws {
      let store = Self.objectStore ?? ""
      try expectFollowing(
        "s3://bucket/\(UUID().uuidString)?endpoint=\(store)&forcePathStyle=true&region=us-east-1")
    }

    @Test func `A server that is killed and restored is followed further`() throws {
      let running = try start(source)
      try wait("5 states") { states(running.heard).count >= 5 }
      running.server.kill()
      _ = running.server.ending()
      running.litestream.kill()
      let before = written(running.said)
      let restored = try Folder()
      try Litestream.restore(source: source, to: restored.file)
      let count = try #require(try restored.number("SELECT count(*) FROM Account"))
      let second = try Worker("run", "serve-slowly", restored)
      let said = second.listen()
      try wait("transactions") { written(said).count >= 3 }
      let litestream = try Litestream(restored.file, source: source)
      try wait("new states") {
        states(running.heard).contains {
          $0.newest == written(said)[2] || $0.newest > written(said)[2]
        }
      }
      second.kill()
      litestream.stop()
      running.follow.kill(SIGTERM)
      expectEqual(running.follow.status(), 0)
      running.reader.kill()
      // Readers may have shown commits that were lost with the machine: then the rows go back.
      let all = states(running.heard)
      let last = try #require(all.last)
      expectEqual(last.sum, Self.total)
      let after = Array(before.prefix(count - 120)) + written(said)
      for state in all where state.count > 120 {
        let index = state.count - 121
        let isKnown = [before, after].contains {
          $0.indices.contains(index) && $0[index] == state.newest
        }
        expectTrue(isKnown, "\(state)")
        expectEqual(state.sum, Self.total)
      }
      expectFalse(running.heard.all.contains("wrong"))
    }

    @Test func `A server that goes back in time is followed there`() throws {
      let running = try start(source)
      try wait("5 states") { states(running.heard).count >= 5 }
      let middle = Date()
      let seen = try #require(states(running.heard).last)
      Thread.sleep(forTimeInterval: 4)
      running.server.kill()
      _ = running.server.ending()
      running.litestream.stop()
      let most = try #require(states(running.heard).map(\.count).max())
      let restored = try Folder()
      try Litestream.restore(
        source: source, to: restored.file, ["-timestamp", middle.formatted(.iso8601)])
      let count = try #require(try restored.number("SELECT count(*) FROM Account"))
      expectTrue(count < most)
      let litestream = try Litestream(restored.file, source: source)
      let queue = try Worker("run", "serve-slowly", restored)
      let said = queue.listen()
      try wait("rows that go back") {
        states(running.heard).last.map { $0.count < most && $0.newest > seen.newest } ?? false
      }
      queue.kill()
      litestream.stop()
      running.follow.kill(SIGTERM)
      expectEqual(running.follow.status(), 0)
      running.reader.kill()
      expectFalse(running.heard.all.contains("wrong"))
      for state in states(running.heard) { expectEqual(state.sum, Self.total) }
      expectFalse(written(said).isEmpty)
    }

    @Test func `A replica that is begun anew is followed from its beginning`() throws {
      let running = try start(source)
      try wait("5 states") { states(running.heard).count >= 5 }
      running.litestream.stop()
      try FileManager.default.removeItem(at: places.url.appendingPathComponent("replica"))
      try FileManager.default.removeItem(
        at: folder.url.appendingPathComponent(".test.sqlite-litestream"))
      let litestream = try Litestream(folder.file, source: source)
      let mark = try #require(written(running.said).last)
      try wait("states of the new replica", 120) {
        states(running.heard).last.map { $0.newest > mark } ?? false
      }
      running.server.kill()
      litestream.stop()
      running.follow.kill(SIGTERM)
      expectEqual(running.follow.status(), 0)
      running.reader.kill()
      expect(running.heard, shows: written(running.said))
    }

    @Test func `Litestream is killed again and again`() throws {
      let running = try start(source)
      for _ in 0..<12 {
        usleep(useconds_t.random(in: 100_000...1_500_000))
        let number = try child()
        if number > 0 { kill(number, SIGKILL) }
      }
      let mark = try #require(written(running.said).last)
      try wait("states after it", 150) {
        states(running.heard).last.map { $0.newest > mark } ?? false
      }
      running.end()
      expect(running.heard, shows: written(running.said))
    }

    @Test func `A Litestream that hangs is restarted`() throws {
      let running = try start(source)
      // As one whose connection hangs: it neither ends nor brings anything, and ignores SIGTERM.
      let hanging = try child()
      kill(hanging, SIGSTOP)
      try wait("a reason", 150) {
        running.follow.said.contains("Litestream has brought nothing for ")
      }
      expectTrue(kill(hanging, 0) != 0)
      let mark = try #require(written(running.said).last)
      try wait("states after it", 120) {
        states(running.heard).last.map { $0.newest > mark } ?? false
      }
      running.end()
      expect(running.heard, shows: written(running.said))
    }

    /// The process of Litestream that the follower has.
    private func child() throws -> pid_t {
      let text = try String(
        contentsOf: replica.appendingPathComponent("follow/child"), encoding: .utf8)
      return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    @Test func `A follower that is killed leaves no second one behind`() throws {
      let running = try start(source)
      let first = try child()
      running.follow.kill(SIGKILL)
      _ = running.follow.status()
      let follow = try StrataFollow(source, folder)
      try wait("another process") { try child() != first && child() > 0 }
      let second = try StrataFollow(source, folder)
      expectEqual(second.status(), 75)
      let mark = try #require(written(running.said).last)
      try wait("states after it") { states(running.heard).last.map { $0.newest > mark } ?? false }
      running.server.kill()
      running.litestream.stop()
      follow.kill(SIGINT)
      expectEqual(follow.status(), 0)
      running.reader.kill()
      expect(running.heard, shows: written(running.said))
      expectTrue(kill(try child(), 0) != 0)
    }

    @Test func `A private file that is damaged is restored anew`() throws {
      let running = try start(source)
      let file = replica.appendingPathComponent("follow/private.sqlite")
      let size = try Data(contentsOf: file).count
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: 4_096)
      try handle.write(contentsOf: Data(repeating: 9, count: size - 4_096))
      try handle.close()
      try wait("a reason") { running.follow.said.contains("the restored file is damaged") }
      let mark = try #require(written(running.said).last)
      try wait("states after it", 120) {
        states(running.heard).last.map { $0.newest > mark } ?? false
      }
      running.end()
      expect(running.heard, shows: written(running.said))
    }

    @Test func `The schema migrates meanwhile`() throws {
      let running = try start(source)
      let migrated = try Worker("run", "show-migrated-replica", folder)
      let heard = migrated.listen()
      running.server.kill()
      _ = running.server.ending()
      let server = try Worker("run", "serve-slowly-migrated", folder)
      let said = server.listen()
      try wait("the end of the old reader") { running.heard.all.contains("ends: ") }
      try wait("states of the new one") { states(heard).count >= 3 }
      server.kill()
      running.litestream.stop()
      running.follow.kill(SIGTERM)
      expectEqual(running.follow.status(), 0)
      for reader in [running.reader, migrated] { reader.kill() }
      expectTrue(
        running.heard.all.contains("Unsupported schema changes were made by another client"))
      let end = "ends: "
      expectEqual(running.heard.lines.count { $0.hasPrefix(end) }, 1)
      expect(running.heard, shows: written(running.said))
      for state in states(heard) { expectEqual(state.sum, Self.total + 1) }
      expectFalse(heard.all.contains("wrong"))
      expectFalse(written(said).isEmpty)
    }

    @Test func `A source that is empty is waited for`() throws {
      let follow = try StrataFollow(source, folder)
      try wait("a reason") { follow.said.contains("strata: The follower can't read '\(source)': ") }
      let server = try Worker("run", "serve-slowly", folder)
      let said = server.listen()
      try wait("transactions") { !written(said).isEmpty }
      let litestream = try Litestream(folder.file, source: source)
      let current = replica.appendingPathComponent("current").path
      try wait("a version", 120) { FileManager.default.fileExists(atPath: current) }
      try wait("the end of the problem") {
        try String(contentsOf: replica.appendingPathComponent("state.json"), encoding: .utf8)
          .contains("\"problem\":null")
      }
      follow.kill(SIGTERM)
      expectEqual(follow.status(), 0)
      server.kill()
      litestream.stop()
    }

    @Test func `A source that can't be reached ends the first attempt in time`() throws {
      let unreachable = "s3://bucket/orders?endpoint=http://127.0.0.1:9&forcePathStyle=true"
      let follow = try StrataFollow(unreachable, folder, ["--timeout", "2"])
      try wait("a reason") {
        follow.said.contains("strata: The follower can't read 's3://bucket/orders': ")
      }
      expectTrue(follow.isRunning)
      follow.kill(SIGTERM)
      expectEqual(follow.status(), 0)
      let once = try StrataFollow(unreachable, folder, ["--timeout", "2", "--once"])
      expectEqual(once.status(), 74)
    }

    @Test func `One publication is made once`() throws {
      let server = try Worker("run", "serve-slowly", folder)
      let said = server.listen()
      try wait("transactions") { written(said).count > 2 }
      let litestream = try Litestream(folder.file, source: source)
      Thread.sleep(forTimeInterval: 2)
      server.kill()
      _ = server.ending()
      litestream.stop()
      for _ in 0..<2 {
        try expectEqual(StrataFollow(source, folder, ["--once", "--check"]).status(), 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: replica.path)
        expectEqual(names.filter { $0.hasSuffix(".sqlite") }.count, 1)
      }
      let reader = try Worker("run", "show-replica", folder)
      let heard = reader.listen()
      try wait("a state") { !states(heard).isEmpty }
      reader.kill()
      let count = try #require(try folder.number("SELECT count(*) FROM Account"))
      expectEqual(states(heard).first?.count, count)
    }

    @Test func `The lag grows when Litestream stands still`() throws {
      let running = try start(source)
      func lag() throws -> Double? {
        let count = running.heard.lines.count
        running.reader.say("lag")
        try wait("the lag") {
          running.heard.lines.dropFirst(count).contains { $0.hasPrefix("lag ") }
        }
        let line = running.heard.lines.last { $0.hasPrefix("lag ") } ?? ""
        return Double(line.split(separator: " ").dropFirst().first ?? "")
      }
      try wait("a lag") { try lag() != nil }
      let litestream = try child()
      kill(litestream, SIGSTOP)
      defer { kill(litestream, SIGCONT) }
      let before = try #require(try lag())
      Thread.sleep(forTimeInterval: 15)
      let after = try #require(try lag())
      expectTrue(after > before + 10)
      kill(litestream, SIGCONT)
      try wait("a smaller lag", 40) { try lag().map { $0 < 8 } ?? false }
      running.end()
      expect(running.heard, shows: written(running.said))
    }
  }
}
