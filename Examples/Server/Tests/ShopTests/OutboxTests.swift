import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Shop
import Synchronization
import Testing

@Suite struct OutboxTests {
  /// The messages that a receiver got, as texts.
  private final class Inbox: Sendable {
    // guarded by: itself.
    private let state = Mutex<(refusals: Int, messages: [String])>((0, []))

    init(refusing count: Int) { state.withLock { $0.refusals = count } }

    /// Records a message, and returns whether it is accepted.
    func take(_ text: String) -> Bool {
      state.withLock { state in
        state.messages.append(text)
        guard state.refusals > 0 else { return true }
        state.refusals -= 1
        return false
      }
    }

    var messages: [String] { state.withLock { $0.messages } }
  }

  /// Runs a receiver, and a shop that sends to it.
  private func run(
    _ shop: TestShop, refusing count: Int = 0,
    _ body: @Sendable (ShopClient, Inbox) async throws -> Void
  ) async throws -> [String] {
    let inbox = Inbox(refusing: count)
    let router = Router()
    router.post("orders") { request, _ -> HTTPResponse.Status in
      let text = String(buffer: try await request.body.collect(upTo: 1 << 20))
      return inbox.take(text) ? .noContent : .serviceUnavailable
    }
    try await Application(router: router).test(.live) { receiver in
      let port = try #require(receiver.port)
      try await shop.run {
        $0.receiver = "http://localhost:\(port)/orders"
      } _: { client in
        try await body(client, inbox)
      }
    }
    return inbox.messages
  }

  private func wait(for count: Int, _ inbox: Inbox) async throws {
    let limit = ContinuousClock.now + .seconds(20)
    while inbox.messages.count < count {
      try #require(ContinuousClock.now < limit)
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test func `Each order is sent once, with the token of its transaction`() async throws {
    let messages = try await run(TestShop()) { client, inbox in
      try await client.makeTenant("north")
      for count in 1...2 {
        _ = try await client.order("north")
        try await wait(for: count, inbox)
      }
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(messages.count == 2)
    #expect(messages[0].contains(#""number":1,"#))
    #expect(messages[1].contains(#""number":2,"#))
    #expect(messages.allSatisfy { $0.contains(#""token":""#) && $0.contains(#""tenant":"north""#) })
  }

  @Test func `A file that was closed before its orders were sent is opened for them again`() {
    let (north, south) = ("north", "south")
    let start = ContinuousClock.now
    func time(_ milliseconds: Int) -> ContinuousClock.Instant {
      start + .milliseconds(milliseconds)
    }
    // All files are tried at the start.
    var retries = Retries([north, south])
    #expect(retries.next(open: [], at: time(0)) == [north, south])
    retries.record([north], at: time(0))
    #expect(retries.next(open: [south], at: time(100)) == [south])
    retries.record([], at: time(100))
    // The first one waits; the other was closed since.
    #expect(retries.next(open: [], at: time(150)) == [south])
    retries.record([], at: time(150))
    #expect(retries.next(open: [], at: time(200)) == [north])
    retries.record([north], at: time(200))
    // The delay doubles, whether the file is open or not.
    #expect(retries.next(open: [north], at: time(500)) == [])
    #expect(retries.next(open: [north], at: time(600)) == [north])
    retries.record([], at: time(600))
    #expect(retries.next(open: [north], at: time(700)) == [north])
  }

  @Test func `What is refused comes again as it was`() async throws {
    let messages = try await run(TestShop(), refusing: 2) { client, inbox in
      try await client.makeTenant("north")
      _ = try await client.order("north")
      try await wait(for: 3, inbox)
      let metrics = try await client.get("/metrics").text
      #expect(metrics.contains("shop_outbox_failures_total 2.0"))
    }
    #expect(messages.count == 3)
    #expect(Set(messages).count == 1)
  }

  @Test func `What a server left is sent by the next one`() async throws {
    let shop = try TestShop()
    try await shop.run { client in
      try await client.makeTenant("north")
      _ = try await client.order("north")
    }
    let messages = try await run(shop) { _, inbox in try await wait(for: 1, inbox) }
    #expect(messages.count == 1)
  }
}
