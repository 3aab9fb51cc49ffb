import Foundation
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
