import Foundation
import Testing

@Suite struct VersionsTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func `The new version migrates a file, and the old one says that it can't`() async throws {
    try await shop.runBefore { client in
      try await client.makeTenant("north")
      let placed = try await client.order("north", 3, key: "key-of-ada")
      #expect(placed.status == 201)
      #expect(placed.int("total") == nil)
      #expect(try await client.get("/tenants/north").int("schemaVersion") == 1)
      let unknown = try await client.get("/tenants/north/orders?total_at_least=1")
      #expect(unknown.status == 400)
    }
    try await shop.run { client in
      let orders = try await client.get("/tenants/north/orders?total_at_least=3600")
      #expect(orders.items.map { $0["total"] as? Int } == [3_600])
      #expect(try await client.get("/tenants/north").int("schemaVersion") == 2)
      // The stored response is from version 1.
      let again = try await client.order("north", 3, key: "key-of-ada")
      #expect(again.headers[.init("Idempotent-Replay")!] == "true")
      #expect(again.int("number") == 1)
      #expect(try await client.order("north").int("total") == 1_200)
    }
    try await shop.runBefore { client in
      for _ in 0..<2 {
        let reply = try await client.get("/tenants/north/orders")
        #expect(reply.status == 503)
        #expect(reply.code == "other_version")
        #expect(reply.headers[.retryAfter] == "1")
      }
      try await client.makeTenant("south")
      #expect(try await client.order("south").status == 201)
      #expect(try await client.get("/live").status == 200)
    }
  }

  @Test func `A backup of before the migration is kept`() async throws {
    try await shop.runBefore { try await $0.makeTenant("north") }
    try await shop.run { client in
      let tenant = try await client.get("/tenants/north")
      #expect(tenant.status == 200)
    }
    let backups = try FileManager.default.contentsOfDirectory(
      atPath: shop.folder.appendingPathComponent("north-backups").path)
    #expect(backups.count == 1)
    #expect(backups.first?.hasPrefix("north-v1-") == true)
  }
}
