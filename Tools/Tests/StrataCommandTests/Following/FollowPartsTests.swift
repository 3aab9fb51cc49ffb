import ArgumentParser
import Foundation
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

@Suite("Parts of following")
struct FollowPartsTests {
  @Test(arguments: [
    ("s3://bucket/orders", "s3://bucket/orders"),
    ("s3://user:secret@host/orders", "s3://host/orders"),
    ("sftp://user@host:22/a@b", "sftp://host:22/a@b"),
    ("s3://bucket/orders?endpoint=x&access-key-id=secret", "s3://bucket/orders"),
    ("s3://a@b:c@host", "s3://host"), ("/data/orders.sqlite", "/data/orders.sqlite"),
    ("file:///a/b#c", "file:///a/b"),
  ])
  func `A source is told without user names, passwords and parameters`(
    text: String, shown: String
  ) {
    expectEqual(FollowSource(text: text).shown, shown)
  }

  @Test(arguments: [
    ("90s", 90.0), ("15m", 900), ("1h", 3_600), ("7d", 604_800), ("1", nil), ("h", nil),
    ("0h", nil),
    ("-1h", nil), ("1.5h", nil), ("1w", nil), ("", nil), ("9999999d", nil),
  ])
  func `Periods have units`(text: String, seconds: Double?) {
    expectEqual(PeriodText.seconds(text), seconds)
  }

  @Test func `An archive has two periods`() {
    expectEqual(FollowCommand.archive("1h:7d"), .init(period: 3_600, age: 604_800))
    for text in ["1h", "7d:1h", "1h:", ":7d", "1h:2h:3h", "x:y"] {
      expectNil(FollowCommand.archive(text), "\(text)")
    }
  }

  @Test(arguments: [
    ["--interval", "0.05"], ["--interval", "3601"], ["--interval", "nan"], ["--keep", "1"],
    ["--keep", "1001"], ["--timeout", "0"], ["--budget", "0"], ["--budget", "1000001"],
    ["--archive", "7d:1h"],
  ])
  func `Options have limits`(options: [String]) {
    #expect(throws: (any Error).self) {
      try FollowCommand.parse(["s3://bucket/orders", "orders.replica"] + options)
    }
    #expect(throws: (any Error).self) { try FollowCommand.parse(["-x", "orders.replica"]) }
    #expect(throws: Never.self) {
      try FollowCommand.parse(["s3://bucket/orders", "orders.replica"])
    }
  }

  @Test func `A budget makes a pause after each version`() throws {
    func pause(_ budget: Int?, _ bytes: Int) -> Duration {
      FollowSettings(
        source: FollowSource(text: "s3://bucket/orders"),
        folder: ReplicaFolder(URL(filePath: "/r")),
        interval: 1, timeout: .seconds(60), retention: PublicationRetention(), checks: false,
        bytesPerMinute: budget, once: false
      ).pause(after: bytes)
    }
    expectEqual(pause(nil, 1_000_000_000), .zero)
    expectEqual(pause(500_000_000, 1_000_000_000), .seconds(120))
    expectEqual(pause(60_000_000, 1_000_000), .seconds(1))
    expectEqual(pause(1_000_000, 0), .zero)
  }

  @Test func `Litestream's list of transactions is read`() throws {
    let json = """
      [{"level": 0, "min_txid": "0000000000000001", "max_txid": "000000000000001b", "size": 567,
        "timestamp": "2026-11-25T09:30:21Z"},
       {"level": 1, "min_txid": "0000000000000001", "max_txid": "0000000000000002", "size": 1}]
      """
    // An entry without its time is another program's.
    expectNil(LitestreamAnswer(Data(json.utf8)))
    let whole = json.replacing("\"size\": 1}", with: "\"timestamp\": \"\"}")
    let answer = try #require(LitestreamAnswer(Data(whole.utf8)))
    expectEqual(answer.newest, 27)
    expectEqual(answer.time(of: 27), (try Date("2026-11-25T09:30:21Z", strategy: .iso8601)))
    expectNil(answer.time(of: 2))
    expectNil(LitestreamAnswer(Data("null".utf8))?.newest)
    expectTrue(LitestreamAnswer(Data("[]".utf8)) != nil)
    expectNil(LitestreamAnswer(Data("{}".utf8)))
  }

  @Test func `Attempts are made after 1, 2, 4 and up to 60 s`() {
    expectEqual(
      (1...8).map { Restarts.wait(after: $0) }, [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }

  @Test func `What is published is the newest when the source had nothing newer`() throws {
    func answer(_ positions: [(UInt64, String)]) throws -> LitestreamAnswer {
      let entries = positions.map {
        "{\"max_txid\": \"\(String($0.0, radix: 16))\", \"timestamp\": \"\($0.1)\"}"
      }
      return try #require(LitestreamAnswer(Data("[\(entries.joined(separator: ","))]".utf8)))
    }
    let (first, second) = ("2026-11-25T09:30:21Z", "2026-11-25T09:30:22Z")
    let asked = try Date("2026-11-25T09:30:30Z", strategy: .iso8601)
    var positions = FollowedPositions()
    var state = FollowerState(source: "s3://bucket")
    positions.take(try answer([(26, first), (27, second)]), askedAt: asked)
    positions.settle(&state)
    expectTrue(!positions.areNewest && state.checkedAt == nil && state.sentAt == nil)

    expectTrue(positions.isNew(26))
    positions.publish(26)
    positions.settle(&state)
    expectTrue(!positions.isNew(26) && positions.isNew(27) && !positions.areNewest)
    expectTrue(state.sentAt == (try Date(first, strategy: .iso8601)) && state.checkedAt == nil)

    positions.publish(27)
    positions.settle(&state)
    expectTrue(positions.areNewest && state.checkedAt == asked)
    expectEqual(state.sentAt, (try Date(second, strategy: .iso8601)))

    // A clock that was ahead is right again. An answer that doesn't know the position says nothing
    // of when it was sent.
    positions.take(try answer([(20, "")]), askedAt: asked - 60)
    positions.settle(&state)
    expectTrue(positions.areNewest && state.checkedAt == asked - 60 && state.sentAt != nil)

    positions.startAnew()
    positions.settle(&state)
    expectTrue(!positions.areNewest && !positions.isNew(27))
    positions.unpublish()
    expectTrue(positions.isNew(27))
  }

  @Test func `A file stands still while it is behind its source and doesn't move`() throws {
    let answer = try #require(
      LitestreamAnswer(Data("[{\"max_txid\": \"1b\", \"timestamp\": \"\"}]".utf8)))
    var positions = FollowedPositions()
    let start = ContinuousClock.now
    func standstill(at position: UInt64?, _ seconds: Int) -> ContinuousClock.Instant? {
      positions.standstill(at: position, now: start + .seconds(seconds))
    }
    // Nothing is known of the source.
    expectNil(standstill(at: 20, 0))
    positions.take(answer, askedAt: Date())
    expectNil(standstill(at: nil, 1))
    expectEqual(standstill(at: 20, 2), start + .seconds(2))
    expectEqual(standstill(at: 20, 70), start + .seconds(2))
    expectEqual(standstill(at: 21, 71), start + .seconds(71))
    expectNil(standstill(at: 27, 72))
    expectEqual(standstill(at: 20, 73), start + .seconds(73))
    positions.startAnew()
    expectNil(standstill(at: 20, 74))
  }

  @Test func `A line that says how far Litestream is, is no reason`() {
    let line =
      "time=2026-11-27T18:14:55Z level=INFO msg=\"follow: applied updates\" txid=0000000000000013"
    expectEqual(LitestreamFailure(line: line), LitestreamFailure(line: ""))
    expectTrue(LitestreamFailure(line: line).text.hasPrefix("Litestream ended without a word."))
    let error = "time=2026-11-27T18:14:55Z level=ERROR msg=\"no matching backup files\""
    expectTrue(LitestreamFailure(line: error).text.contains("no matching backup files"))
  }
}
