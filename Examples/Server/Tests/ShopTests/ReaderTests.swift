import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite struct ReaderTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  /// Makes a file the newest version of a replica, as any program can.
  private func publish(_ name: String, as version: String, to replicas: URL) throws {
    let folder = replicas.appendingPathComponent("\(name).replica")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: shop.folder.appendingPathComponent("\(name).sqlite"),
      to: folder.appendingPathComponent("\(version).sqlite"))
    try Data("\(version)\n".utf8).write(
      to: folder.appendingPathComponent("current"), options: .atomic)
  }

  private var replicas: URL { shop.folder.appendingPathComponent("replicas") }

  @Test func `A reader shows one version after the other, and refuses to write`() async throws {
    try await shop.run { client in
      try await client.makeTenant("north")
      _ = try await client.order("north")
    }
    try publish("north", as: "1", to: replicas)
    try await shop.run {
      $0.folder = $0.folder.appendingPathComponent("replicas")
      $0.readsReplicas = true
    } _: { client in
      let first = try await client.get("/tenants/north/orders")
      #expect(first.items.count == 1)
      #expect(first.headers[.init("Replica-Version")!] == "1")
      let refused = try await client.order("north")
      #expect(refused.status == 405)
      #expect(refused.headers[.allow] == "GET")
      #expect(try await client.get("/tenants/south/orders").status == 404)
      // The age of the replica is unknown.
      #expect(try await client.get("/ready").status == 503)
      #expect(try await client.get("/live").status == 200)
      try await shop.run { _ = try await $0.order("north") }
      try publish("north", as: "2", to: replicas)
      let limit = ContinuousClock.now + .seconds(20)
      while try await client.get("/tenants/north/orders").items.count == 1 {
        try #require(ContinuousClock.now < limit)
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// What a client sends with its next request, in one of two ways.
  private func token(_ reply: Reply, asCookie: Bool) throws -> HTTPFields {
    let token = try #require(
      reply.headers[.init("History-Token")!], "\(reply.status) \(reply.text)")
    guard asCookie else { return [.init("History-Token")!: token] }
    let cookie = try #require(reply.headers[.setCookie])
    #expect(cookie.hasPrefix("history-token=\(token); Path=/tenants/north;"))
    return [.cookie: "history-token=\(token)"]
  }

  /// Places an order, and returns what its client sends with the next request.
  private func newToken(asCookie: Bool) async throws -> HTTPFields {
    let written = Mutex<HTTPFields>([:])
    try await shop.run { writer in
      let fields = try token(try await writer.order("north"), asCookie: asCookie)
      written.withLock { $0 = fields }
    }
    return written.withLock { $0 }
  }

  @Test(arguments: [true, false])
  func `A reader waits for what its client has written`(asCookie: Bool) async throws {
    try await shop.run { try await $0.makeTenant("north", stock: 100) }
    try publish("north", as: "0", to: replicas)
    try await shop.run {
      $0.folder = $0.folder.appendingPathComponent("replicas")
      $0.readsReplicas = true
    } _: { reader in
      for number in 1...20 {
        let written = try await newToken(asCookie: asCookie)
        // It comes while the request waits.
        async let reply = reader.get("/tenants/north/orders", written)
        try publish("north", as: "\(number)", to: replicas)
        let shown = try await reply
        #expect(shown.items.count == number)
        // Whoever has seen it sees it again.
        let seen = try token(shown, asCookie: asCookie)
        #expect(try await reader.get("/tenants/north/orders", seen).items.count == number)
      }
      let late = try await newToken(asCookie: asCookie)
      let behind = try await reader.get("/tenants/north/orders", late)
      #expect(behind.status == 503)
      #expect(behind.code == "behind")
      #expect(behind.headers[.retryAfter] == "1")
      // A write that was lost in a failover doesn't stand in the way for ever.
      let lost = [HTTPField.Name("History-Token")!: "3-0000000000000001"] as HTTPFields
      #expect(try await reader.get("/tenants/north/orders", lost).items.count == 20)
      let wrong = [HTTPField.Name("History-Token")!: "no token"] as HTTPFields
      #expect(try await reader.get("/tenants/north/orders", wrong).items.count == 20)
    }
  }

  @Test func `A reader waits for its schema version`() async throws {
    try await shop.runBefore { try await $0.makeTenant("north") }
    try publish("north", as: "1", to: replicas)
    try await shop.run {
      $0.folder = $0.folder.appendingPathComponent("replicas")
      $0.readsReplicas = true
    } _: { client in
      #expect(try await client.get("/tenants/north").code == "other_version")
      try await shop.run { _ = try await $0.get("/tenants/north") }
      try publish("north", as: "2", to: replicas)
      #expect(try await client.get("/tenants/north").int("schemaVersion") == 2)
    }
  }
}
