import Foundation
import GRDB
import TestKit
import Testing

extension Faults {
  /// The steps of docs/failover.md: a primary is killed, or its network is cut, and a replica takes
  /// over. A reader of that replica sees nothing contradicted.
  @Suite(.serialized, .enabled(if: Litestream.program != nil), .timeLimit(.minutes(40)))
  struct FailoverTests {
    private static let rounds = Extent.current == .all ? 20 : 2

    /// How the primary is lost.
    enum Loss: CaseIterable {
      case killed, networkCut
    }

    @Test(arguments: Loss.allCases)
    func `A replica takes over, and the former primary is refused`(_ loss: Loss) throws {
      guard loss == .killed || FailoverRun.hasNetwork else { return }
      var times: [Double] = []
      for round in 0..<Self.rounds {
        let run = try FailoverRun(loss, round)
        defer { run.end() }
        try times.append(run.failOver())
        try run.followNewPrimary()
        try run.bringBackFormerPrimary()
      }
      times.sort()
      print("failover, \(loss): \(times[times.count / 2]) s, at most \(times[times.count - 1]) s")
    }
  }
}

/// Two machines, each with a folder: one with the primary, one that follows it.
private final class FailoverRun {
  private let loss: Faults.FailoverTests.Loss
  private let machine: Namespace?
  private let (primary, other): (Folder, Folder)
  private let places: Folder
  private let store: String?
  private let (server, litestream, reader): (Worker, Litestream, Worker)
  private let (said, heard): (Lines, Lines)
  private var follow: StrataFollow
  private var newServer: Worker?
  private var newLitestream: Litestream?

  /// Whether there is an object store that other machines reach.
  static let hasNetwork =
    Namespace.areAvailable
    && ProcessInfo.processInfo.environment["STRATA_S3"]?.contains("0.0.0.0") == true

  init(_ loss: Faults.FailoverTests.Loss, _ round: Int) throws {
    self.loss = loss
    places = try Folder()
    (primary, other) = try (Scenario.of("write-and-tell").newFolder(), Folder())
    machine = loss == .networkCut ? try Namespace(round) : nil
    store = loss == .networkCut ? "\(round)-\(UUID().uuidString)" : nil
    let server = try Worker("run", "serve-orders", primary, on: machine)
    let said = server.listen()
    (self.server, self.said) = (server, said)
    try wait("the first transaction") { !said.lines.isEmpty }
    litestream = try Litestream(
      primary.file, source: Self.source("old", places, store, machine), on: machine)
    follow = try StrataFollow(Self.source("old", places, store, nil), other)
    let reader = try Worker("run", "read-orders", other)
    let heard = reader.listen()
    (self.reader, self.heard) = (reader, heard)
    try wait("ten states") { heard.lines.count >= 10 }
  }

  func end() {
    for worker in [server, reader] + [newServer].compactMap(\.self) { worker.kill() }
    litestream.kill()
    newLitestream?.kill()
    follow.kill(SIGKILL)
    expectFalse(heard.all.contains("wrong"), "\(heard.all)")
  }

  /// The address of a place, as a machine reaches it.
  private static func source(
    _ name: String, _ places: Folder, _ store: String?, _ machine: Namespace?
  ) -> String {
    guard let store else { return "file://\(places.url.appendingPathComponent(name).path)" }
    let host = machine?.hostAddress ?? "127.0.0.1"
    let port = ProcessInfo.processInfo.environment["STRATA_S3"]?.split(separator: ":").last ?? ""
    return "s3://bucket/\(store)-\(name)?endpoint=http://\(host):\(port)&forcePathStyle=true"
  }

  private var replica: URL { StrataFollow.replica(other) }

  /// The greatest number that a reader saw, or a server wrote.
  private func last(_ lines: Lines) -> Int {
    lines.lines.last.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
  }

  /// Loses the primary, and promotes the replica.
  ///
  /// - Returns: The seconds from the loss to the first write of the new primary.
  func failOver() throws -> Double {
    let start = ContinuousClock.now
    switch loss {
    case .killed:
      server.kill()
      litestream.kill()
    case .networkCut: try machine?.cut()
    }
    follow.kill(SIGTERM)
    expectEqual(follow.status(), 0)
    var outcome = try StrataFollow.run(["promote", replica.path, other.file.path])
    // The follower was ended between two transactions, and the former primary is gone.
    if outcome.status == 75 {
      outcome = try StrataFollow.run(["promote", replica.path, other.file.path, "--force"])
    }
    expectEqual(outcome.status, 0, "\(outcome.said)")
    let seen = last(heard)
    let new = try Worker("run", "serve-orders", other)
    newServer = new
    let wrote = new.listen()
    try wait("the first write of the new primary") { !wrote.lines.isEmpty }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Whatever a reader had seen is there, in the order in which it was written.
    let (numbers, kinds) = try DatabaseQueue(path: other.file.path).read { db in
      (
        try Int.fetchAll(db, sql: "SELECT number FROM Entry ORDER BY number"),
        try String.fetchAll(
          db,
          sql: """
            SELECT o.kind || ' ' || h.kind FROM strata_origin AS o JOIN strata_history AS h
            ON h.position = o.position WHERE o.kind = 'promoted'
            """)
      )
    }
    expectEqual(numbers, Array(1...numbers.count))
    expectTrue(numbers.count > seen, "\(numbers.count) entries, and a reader saw \(seen)")
    expectEqual(kinds, ["promoted restored"])
    return seconds
  }

  /// Follows the new primary into the same folder: its reader goes on.
  func followNewPrimary() throws {
    newLitestream = try Litestream(other.file, source: Self.source("new", places, store, nil))
    let before = last(heard)
    follow = try StrataFollow(Self.source("new", places, store, nil), other)
    try wait("states of the new primary", said: follow.said) { last(heard) > before + 5 }
    follow.kill(SIGTERM)
    expectEqual(follow.status(), 0)
  }

  /// Continues writing on the former primary in its place, and follows that file.
  func bringBackFormerPrimary() throws {
    var returned: [Worker] = []
    var sender: Litestream?
    defer {
      for worker in returned { worker.kill() }
      sender?.kill()
    }
    let source = Self.source("old", places, store, nil)
    if loss == .killed {
      returned.append(try Worker("run", "serve-orders", primary))
      sender = try Litestream(primary.file, source: source)
    } else {
      try machine?.mend()
    }
    let before = last(heard)
    follow = try StrataFollow(source, other)
    try wait("a refusal", said: follow.said) {
      follow.said.contains("doesn't show the file of a former primary")
    }
    follow.kill(SIGTERM)
    expectEqual(follow.status(), 0)
    expectEqual(last(heard), before)
    reader.say("health")
    try wait("the health of the replica", said: heard.all) {
      heard.all.contains("doesn't show the file of a former primary")
    }
  }
}
